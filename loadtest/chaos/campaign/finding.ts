// What a campaign found wrong.
export type Finding =
  | {
      readonly kind: 'lost' | 'doubled' | 'changed'
      readonly host: string
      readonly number: number
    }
  | {
      readonly kind: 'foreign' | 'disordered' | 'miscounted'
      readonly host: string
      readonly text: string
    }
