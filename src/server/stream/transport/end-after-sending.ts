/**
 * Data sent while a frame is processed leaves when the runtime has finished with the received data. A close
 * frame of the protocol would leave the time of disconnection to the client, which could keep sending until
 * then.
 */
export function endAfterSending(end: () => void): void {
  setImmediate(end)
}
