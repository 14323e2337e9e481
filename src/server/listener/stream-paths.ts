/** The paths of the stream, known before the stream exists, so that an early client does not get a page. */

const PLAIN_PATHS: ReadonlySet<string> = new Set(['/', '/stream', '/ws'])
const SOCKET_IO_PATHS: ReadonlySet<string> = new Set(['/socket.io/', '/socket.io'])

export function isSocketIoPath(path: string): boolean {
  return SOCKET_IO_PATHS.has(path)
}

/** Whether a request belongs to the stream; the page at `/`, for example, does not. */
export function isForStream(request: Request, path: string): boolean {
  if (isSocketIoPath(path)) return true
  return PLAIN_PATHS.has(path) && request.headers.get('upgrade')?.toLowerCase() === 'websocket'
}
