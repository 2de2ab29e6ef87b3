// A command of the SDK's channel, as the administrator; its `response`.

export async function callSdk(
  url: string,
  password: string,
  command: string,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    },
    body: JSON.stringify(given),
    signal: AbortSignal.timeout(30_000),
  })
  const envelope: {
    success: boolean
    errorMessage: string | null
    response: Record<string, unknown>
  } = JSON.parse(await answer.text())
  if (!envelope.success) throw new Error(`${command}: ${answer.status} ${envelope.errorMessage}`)
  return envelope.response
}
