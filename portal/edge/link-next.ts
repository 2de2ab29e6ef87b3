// The `Link` header of a page of a list (decision 9.3, RFC 8288): where the next one is, for
// clients that follow links rather than read `nextCursor`. It has no host: a credential is not led
// to another one than it was shown to.

/** `url`: of the call. Nothing where `body` is no page, or the last one. */
export function linkNext(url: URL, body: unknown): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null || !('nextCursor' in body)) return {}
  if (typeof body.nextCursor !== 'string') return {}
  const query = new URLSearchParams(url.search)
  query.set('cursor', body.nextCursor)
  return { link: `<${url.pathname}?${query}>; rel="next"` }
}
