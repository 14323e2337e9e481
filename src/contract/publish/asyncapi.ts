/** The AsyncAPI 3 document of the stream, generated from the table of its messages. */

import { SANDBOX_HOST } from '../sandbox-address.ts'
import { type JsonSchema, jsonSchemas } from './json-schema.ts'
import { moreAbout, SERVER_WORDS, WORDS } from './prose.ts'
import { MESSAGES } from './stream.ts'
import type { MessageRow } from './stream-message.ts'

/** Maximum number of examples shown with a message. */
const EXAMPLES_MAX = 2

/** `messages`: examples from the pages of the reference, each a complete array. */
export function asyncApiDocument(messages: readonly unknown[]): JsonSchema {
  const named = Object.fromEntries(MESSAGES.map(({ id, schema }) => [id, schema]))
  const { schemas, components } = jsonSchemas(named, 'draft-7')
  return {
    asyncapi: '3.0.0',
    info: { title: `${WORDS.title} stream`, version: '3', description: WORDS.streamDescription },
    defaultContentType: 'application/json',
    servers: {
      sandbox: { host: SANDBOX_HOST, protocol: 'ws', description: SERVER_WORDS },
    },
    channels: {
      stream: {
        address: '/ws',
        title: 'The stream',
        description: 'A plain WebSocket; / and /stream are the same.',
        messages: Object.fromEntries(MESSAGES.map(({ id }) => [id, { $ref: `#/components/messages/${id}` }])),
      },
    },
    operations: Object.fromEntries(MESSAGES.map((row) => [operationName(row), operation(row)])),
    components: {
      messages: Object.fromEntries(
        MESSAGES.map((row) => [row.id, message(row, schemas[row.id] ?? {}, messages)]),
      ),
      schemas: components,
    },
  }
}

/** From the server's point of view: the document describes the server. */
function operationName({ from, id }: MessageRow): string {
  return `${from === 'client' ? 'receive' : 'send'}.${id}`
}

function operation({ from, id, summary, answer }: MessageRow): JsonSchema {
  const channel = { $ref: '#/channels/stream' }
  const reply = { channel, messages: [inChannel(answer ?? ''), inChannel('error')] }
  return {
    action: from === 'client' ? 'receive' : 'send',
    summary,
    channel,
    messages: [inChannel(id)],
    ...(answer === undefined ? {} : { reply }),
  }
}

function inChannel(id: string): JsonSchema {
  return { $ref: `#/channels/stream/messages/${id}` }
}

function message(row: MessageRow, payload: JsonSchema, messages: readonly unknown[]): JsonSchema {
  const shown = messages.filter((each) => row.schema.safeParse(each).success).slice(0, EXAMPLES_MAX)
  return {
    name: row.name,
    title: row.name,
    summary: row.summary,
    contentType: 'application/json',
    ...moreAbout(`/stream#message-${row.id}`, row.page),
    payload,
    ...(shown.length === 0 ? {} : { examples: shown.map((each) => ({ payload: each })) }),
  }
}
