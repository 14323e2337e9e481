/**
 * A text answer of any length: passed on as it arrives, or written to a file that gets its name once it is
 * complete.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { AdminAddress, AdminOperation, AdminRequests } from '../../contract/admin/admin.ts'
import { PrintablePieces } from '../../units/printable.ts'
import { UsageError } from '../arguments.ts'
import { AdminUnreachableFault, askAdminText } from './client.ts'

export type TextTarget = {
  /** Undefined for `write`. */
  readonly file: string | undefined
  readonly write: (text: string) => void
}

/**
 * Throws `AdminRefusedError`, and `AdminUnreachableFault` if the connection breaks: the text passed on so far
 * is incomplete.
 */
export async function passOn<Operation extends AdminOperation>(
  address: AdminAddress,
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
  { file, write }: TextTarget,
): Promise<void> {
  const text = await askAdminText(address, operation, request as AdminRequests[Operation])
  if (file === undefined) {
    const [decoder, pieces] = [new TextDecoder('utf-8', { ignoreBOM: true }), new PrintablePieces()]
    await eachPiece(text, address, (bytes) => write(pieces.next(decoder.decode(bytes, { stream: true }))))
    write(pieces.next(decoder.decode()) + pieces.end())
    return
  }
  const temporary = `${file}.tmp`
  const fd = openOut(file, temporary)
  try {
    await eachPiece(text, address, (bytes) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    })
    fsyncSync(fd)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, file)
}

async function eachPiece(
  text: AsyncIterable<Uint8Array>,
  { url }: AdminAddress,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  const pieces = text[Symbol.asyncIterator]()
  for (;;) {
    const piece = await pieces.next().catch((cause: unknown) => {
      const why = 'the node stopped sending it, or could not produce the rest: see its log'
      throw new AdminUnreachableFault(`the answer from ${url} is incomplete; ${why}`, { cause })
    })
    if (piece.done) return
    take(piece.value)
  }
}

function openOut(file: string, temporary: string): number {
  try {
    return openSync(temporary, 'w', 0o600)
  } catch (cause) {
    throw new UsageError(`--out ${file} cannot be written: ${(cause as Error).message}`)
  }
}
