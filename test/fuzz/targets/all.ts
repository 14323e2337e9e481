/** Every target by name. They are created on demand, since some of them open files and ports. */
import type { AnyTarget } from '../target.ts'
import * as addresses from './addresses.ts'
import * as codecs from './codecs.ts'
import * as files from './files.ts'
import * as forms from './forms.ts'
import * as gateway from './gateway.ts'
import * as links from './links.ts'
import * as operator from './operator.ts'
import { orderEntry } from './order-entry.ts'
import * as signatures from './signatures.ts'
import { socketIo } from './socket-io.ts'
import * as texts from './texts.ts'

export const TARGETS: Readonly<Record<string, () => AnyTarget | Promise<AnyTarget>>> = {
  form: () => forms.form,
  body: () => forms.body,
  'new-order': () => forms.newOrder,
  decimal: () => texts.decimal,
  uuid: () => texts.uuid,
  'whole-number': () => texts.wholeNumber,
  language: () => texts.language,
  'request-target': () => texts.requestTarget,
  headers: () => texts.headers,
  'stream-frame': () => texts.streamFrame,
  address: () => addresses.address,
  'forwarded-for': () => addresses.forwardedFor,
  command: codecs.command,
  event: codecs.event,
  reply: codecs.reply,
  ...codecs.queryAnswers,
  requests: codecs.requests,
  output: codecs.output,
  frames: codecs.frames,
  'link-frame': links.linkFrame,
  'link-greeting': links.linkGreeting,
  'snapshot-state': codecs.snapshotState,
  witness: files.witness,
  'snapshot-file': files.snapshotFile,
  'journal-batch': files.journalBatch,
  settings: operator.settings,
  'command-line': () => operator.commandLine,
  admin: () => operator.admin,
  http: gateway.http,
  signature: gateway.signature,
  'signed-text': () => signatures.signedText,
  claim: signatures.claim,
  'stream-session': gateway.streamSession,
  'order-entry': orderEntry,
  'socket-io': socketIo,
}
