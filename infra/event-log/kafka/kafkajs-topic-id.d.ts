// What the checks at start need of kafkajs beside kafkajs-cluster.d.ts: a request of our own.
declare module 'kafkajs/src/cluster/index.js' {
  export interface Connection {
    send<Decoded extends object, Answer>(protocol: {
      request: {
        apiKey: number
        apiVersion: number
        apiName: string
        /** In the form of the client's own encoder. */
        encode(): Promise<{ buf: Buffer; buffer: Buffer }>
      }
      response: {
        decode(answer: Buffer): Promise<Decoded>
        parse(decoded: Decoded): Promise<Answer>
      }
    }): Promise<Answer>
  }

  export interface Broker {
    /** By number of the request; null before it is connected. */
    readonly versions: Readonly<
      Record<number, { readonly minVersion: number; readonly maxVersion: number }>
    > | null
    readonly connectionPool: { getConnection(): Promise<Connection> }
  }
}
