/** Commands on sessions as bytes. The rules of these formats stand in `command-codec.ts`. */
import type { ByteReader, ByteWriter } from '../../../../units/bytes.ts'
import type { AccountId, SessionNumber } from '../../../../units/ids.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import type * as C from '../../commands/sessions.ts'

export function writeSessionCommand(w: ByteWriter, c: C.SessionCommand | C.EndSession): void {
  if (c.kind === 'OpenSession') writeOpenSession(w, c)
  else w.uint(c.sessionNumber)
  if (c.kind === 'DisconnectSession') w.uint(c.attachment)
}

function writeOpenSession(w: ByteWriter, c: C.OpenSession): void {
  w.uint(c.accountId)
  w.text(c.apiKey)
  w.uint(c.graceMs)
  w.bool(c.resumes !== undefined)
  if (c.resumes === undefined) return
  w.uint(c.resumes.sessionNumber)
  w.uint(c.resumes.sessionTime)
}

export function readOpenSession(r: ByteReader): C.OpenSession {
  return {
    kind: 'OpenSession',
    accountId: r.uint() as AccountId,
    apiKey: r.text(),
    graceMs: r.uint(),
    resumes: r.bool()
      ? { sessionNumber: r.uint() as SessionNumber, sessionTime: r.uint() as TimeMs }
      : undefined,
  }
}

export function readDisconnectSession(r: ByteReader): C.DisconnectSession {
  return { kind: 'DisconnectSession', sessionNumber: r.uint() as SessionNumber, attachment: r.uint() }
}

export function readEndSession(r: ByteReader): C.EndSession {
  return { kind: 'EndSession', sessionNumber: r.uint() as SessionNumber }
}
