/** C, for people and programs: bodies of answers without their texts, and the texts separately. */

import * as programHelp from '../../../src/app/help.ts'
import { helpOf, overview } from '../../../src/cli/admin/help.ts'
import { ADMIN_COMMANDS, SECTIONS } from '../../../src/cli/admin/sections.ts'
import type { AdminOperation } from '../../../src/contract/admin/admin.ts'
import { ADMIN_OPERATIONS } from '../../../src/contract/admin/admin.ts'
import { ENDPOINTS } from '../../../src/contract/publish/endpoints.ts'
import { ALL_REASONS } from '../../../src/contract/reasons/catalogue.ts'
import { recordedSession } from '../node-session.ts'
import type { Part } from '../part.ts'
import { bodyText, type Recorded, recordedPart } from '../recorded-part.ts'
import { type AdminRecorded, adminSession } from './admin-session.ts'
import { httpSession } from './http-session.ts'
import { lackingInStream, streamSession } from './stream-session.ts'

/** Members of a reason's entry that are texts. */
const REASON_TEXTS = ['en', 'tr', 'when', 'remedy']

/**
 * Members of a reason's entry that are in no answer: one is for the node's own monitoring, the other for the
 * ccxt class, whose own test checks it.
 */
const REASON_INSIDE = new Set(['refuses', 'ccxt'])

/** The values that programs may compare: codes, statuses and places of each reason. */
async function reasons(): Promise<Recorded[]> {
  return Object.entries(ALL_REASONS).map(([kind, entry]) => {
    const shown = Object.fromEntries(Object.entries(entry).filter(([name]) => !REASON_INSIDE.has(name)))
    return { kind, text: bodyText(shown, REASON_TEXTS) }
  })
}

async function reasonTexts(): Promise<Recorded[]> {
  return Object.entries(ALL_REASONS).map(([kind, entry]) => {
    const lines = Object.entries(entry).filter(([name]) => REASON_TEXTS.includes(name))
    return { kind, text: lines.map(([name, text]) => `${name}: ${text}`).join('\n') }
  })
}

async function help(): Promise<Recorded[]> {
  const program = Object.entries(programHelp).filter(([, text]) => typeof text === 'string')
  return [
    ...program.map(([name, text]) => ({ kind: `bourse ${name}`, text: String(text) })),
    { kind: 'bourse admin', text: overview(SECTIONS) },
    ...ADMIN_COMMANDS.map((command) => ({ kind: `bourse admin ${command.name}`, text: helpOf(command) })),
  ]
}

/** Run once, for both parts that need it. */
let session: Promise<AdminRecorded> | undefined
function asked(): Promise<AdminRecorded> {
  session ??= adminSession()
  return session
}

/** A delivery is abandoned only after most of an hour, and can be sent again only then. */
const TOO_LATE: readonly AdminOperation[] = ['webhook/retry']

/**
 * Operations of the admin server that were called neither in this session nor in the recorded one of a real
 * node.
 */
function unanswered(texts: readonly (readonly [kind: string, text: string])[]): string[] {
  const done = new Set([
    ...texts.filter(([, text]) => text.startsWith('200')).map(([kind]) => kind.split(' ')[0]),
    ...recordedSession()
      .admin.filter(({ body }) => body.ok)
      .map(({ operation }) => operation),
    ...TOO_LATE,
  ])
  return ADMIN_OPERATIONS.filter((operation) => !done.has(operation))
}

export const PEOPLE: readonly Part[] = [
  recordedPart({
    name: 'people/http',
    aspect: 'body',
    run: httpSession,
    needed: ENDPOINTS.map(({ method, path }) => `${method} ${path}`),
  }),
  recordedPart({ name: 'people/stream', aspect: 'body', run: streamSession, lacking: lackingInStream }),
  recordedPart({
    name: 'people/admin',
    aspect: 'body',
    run: async () => (await asked()).bodies,
    lacking: (texts) => unanswered([...texts]),
  }),
  recordedPart({ name: 'people/texts/tables', aspect: 'text', run: async () => (await asked()).tables }),
  recordedPart({ name: 'people/reasons', aspect: 'body', run: reasons }),
  recordedPart({ name: 'people/texts/reasons', aspect: 'text', run: reasonTexts }),
  recordedPart({ name: 'people/texts/help', aspect: 'text', run: help }),
]
