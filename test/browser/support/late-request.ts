/**
 * Signed requests that arrived after their own window (docs/reference/authentication.md#time-window), as on a
 * paused machine: they are refused, as they must be, and the page sends them again. Such a refusal is not a
 * fault of the page.
 */

/** `now` is the time of the refusal, in milliseconds since 1970. */
export function isLateRequest(url: string, status: number, now: number): boolean {
  if (status !== 401 || !URL.canParse(url)) return false
  const { searchParams } = new URL(url)
  const [timestamp, recvWindow] = [searchParams.get('timestamp'), searchParams.get('recvWindow')]
  if (timestamp === null || recvWindow === null) return false
  return now - Number(timestamp) > Number(recvWindow)
}
