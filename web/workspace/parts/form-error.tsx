import { Banner } from '../../shared/parts/banner.tsx'

/** What went wrong with an act, beside it. */
export function FormError({ error }: { readonly error: string | undefined }) {
  return error === undefined ? null : <Banner kind="error">{error}</Banner>
}
