/**
 * What was sent while a frame is dealt with leaves when the runtime is through with what it has read. A goodbye that ends the
 * connection by the protocol would leave it to the client when it disconnects: until then the client could go on sending.
 */
export function endAfterSending(end: () => void): void {
  setImmediate(end)
}
