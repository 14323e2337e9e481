/**
 * B, between processes: messages from a gateway to an engine and back, updates of read models, and the
 * handshake of a link.
 */
import * as fc from 'fast-check'
import { decodeWith, encodeWith } from '../../../src/core/commands/codec.contract.ts'
import type { ExchangeEvent } from '../../../src/core/events/event.ts'
import { readEvent, writeEvent } from '../../../src/core/events/event-codec.ts'
import { arbitraryEventByKind } from '../../../src/core/events/message.arbitraries.ts'
import { arbitraryReplyByKind } from '../../../src/core/questions/reply.arbitraries.ts'
import { type Reply, refused } from '../../../src/core/questions/reply.ts'
import { readReply, writeReply } from '../../../src/core/questions/reply-codec.ts'
import { arbitraryByQuery } from '../../../src/engine/port/queries.arbitraries.ts'
import {
  type EngineQuery,
  QUERY_NAMES,
  type QueryAnswer,
  readQuery,
  readQueryAnswer,
  writeQuery,
  writeQueryAnswer,
} from '../../../src/engine/port/queries.ts'
import { LINK_VERSIONS } from '../../../src/transport/link/protocol/greeting.ts'
import { CORE_REASONS } from '../../../src/units/reasons.ts'
import { type CodecOptions, codecPart } from '../codec-part.ts'
import type { Part } from '../part.ts'
import { type Asked, askedByKind, FAULT_ANSWERS, readAsked, writeAsked } from './asked-messages.ts'
import { arbitraryBlockByKind, type Block, readBlock, writeBlock } from './blocks.ts'
import { COUNT_MESSAGES, type CountMessage, readCountMessage, writeCountMessage } from './count-messages.ts'
import { HISTORY_QUESTIONS } from './history-questions.ts'
import { arbitraryFrameByKind, type LinkMessage, readLinkMessage, writeLinkMessage } from './link-messages.ts'
import { REPLICA_QUESTIONS } from './replica-questions.ts'
import { arbitraryUpdateByKind, type Named, readNamedUpdates, writeNamedUpdates } from './updates.ts'

/** The version that both ends of a link agree on: if it is raised, bytes are recorded again. */
const version = ['link version', String(LINK_VERSIONS.newest)] as const

function between<T>(options: Omit<CodecOptions<T>, 'class' | 'version'>): Part {
  return codecPart<T>({ class: 'B', version, ...options })
}

const EVENT = { write: writeEvent, read: readEvent }
const REPLY = { write: writeReply, read: readReply }
const QUERY = { write: writeQuery, read: readQuery }
const ANSWER = { write: writeQueryAnswer, read: readQueryAnswer }

export const BETWEEN_CODECS: readonly Part[] = [
  between<ExchangeEvent>({
    name: 'between/events',
    arbitraries: arbitraryEventByKind,
    write: (event) => encodeWith(EVENT, event),
    read: (bytes) => decodeWith(EVENT, bytes),
  }),
  between<Reply>({
    name: 'between/replies',
    arbitraries: arbitraryReplyByKind,
    always: { Refused: CORE_REASONS.map(refused) },
    write: (reply) => encodeWith(REPLY, reply),
    read: (bytes) => decodeWith(REPLY, bytes),
  }),
  between<EngineQuery>({
    name: 'between/questions',
    arbitraries: Object.fromEntries(
      QUERY_NAMES.map((name) => [
        name,
        arbitraryByQuery[name].fields.map((fields) => ({ name, fields }) as EngineQuery),
      ]),
    ),
    write: (query) => encodeWith(QUERY, query),
    read: (bytes) => decodeWith(QUERY, bytes),
  }),
  between<QueryAnswer>({
    name: 'between/views',
    arbitraries: Object.fromEntries(
      QUERY_NAMES.map((name) => {
        const values = arbitraryByQuery[name].value as fc.Arbitrary<unknown>
        return [name, values.map((value) => ({ name, value }) as QueryAnswer)]
      }),
    ),
    write: (answer) => encodeWith(ANSWER, answer),
    read: (bytes) => decodeWith(ANSWER, bytes),
  }),
  between<Named>({
    name: 'between/updates',
    arbitraries: arbitraryUpdateByKind,
    write: writeNamedUpdates,
    read: readNamedUpdates,
  }),
  between<Block>({
    name: 'between/blocks',
    arbitraries: arbitraryBlockByKind,
    write: writeBlock,
    read: readBlock,
  }),
  between<LinkMessage>({
    name: 'between/link',
    arbitraries: arbitraryFrameByKind,
    write: writeLinkMessage,
    read: readLinkMessage,
  }),
  between<Asked>({
    name: 'between/history',
    arbitraries: { ...askedByKind(HISTORY_QUESTIONS), fault: fc.constantFrom(...FAULT_ANSWERS) },
    always: { fault: FAULT_ANSWERS },
    write: writeAsked,
    read: readAsked,
  }),
  between<Asked>({
    name: 'between/replica',
    arbitraries: askedByKind(REPLICA_QUESTIONS),
    write: writeAsked,
    read: readAsked,
  }),
  between<CountMessage>({
    name: 'between/counts',
    arbitraries: COUNT_MESSAGES,
    write: writeCountMessage,
    read: readCountMessage,
  }),
]
