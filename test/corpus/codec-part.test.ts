/**
 * A comparison reports each difference: other bytes, another value, a kind or a form without an entry, a kind
 * that no longer exists.
 */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { decodeWith, encodeWith } from '../../src/core/commands/codec.contract.ts'
import { arbitraryReplyByKind } from '../../src/core/questions/reply.arbitraries.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import { readReply, writeReply } from '../../src/core/questions/reply-codec.ts'
import { LINK_VERSIONS } from '../../src/transport/link/protocol/greeting.ts'
import { type CodecOptions, codecPart } from './codec-part.ts'
import { parseEntries } from './entries.ts'

const CODEC = { write: writeReply, read: readReply }
const REPLIES: CodecOptions<Reply> = {
  class: 'B',
  name: 'between/replies',
  arbitraries: arbitraryReplyByKind,
  write: (reply) => encodeWith(CODEC, reply),
  read: (bytes) => decodeWith(CODEC, bytes),
  version: ['link version', String(LINK_VERSIONS.newest)],
}
const NOTHING_ANEW = { anew: new Set<never>() }

async function differing(change: Partial<CodecOptions<Reply>>): Promise<Set<string>> {
  const differences = await codecPart({ ...REPLIES, ...change }).compare()
  return new Set(differences.map(({ aspect, kind }) => `${aspect} of ${kind}`))
}

test('committed values are what the code writes and reads', async () => {
  expect(await differing({})).toEqual(new Set())
})

test('a codec that writes other bytes is named with the kind', async () => {
  const write = (reply: Reply) => {
    const bytes = REPLIES.write(reply)
    return reply.kind === 'Done' ? Uint8Array.of(...bytes, 0) : bytes
  }
  expect(await differing({ write })).toEqual(new Set(['bytes of Done']))
})

test('a codec that reads another value is named with the kind', async () => {
  const read = (bytes: Uint8Array) => {
    const reply = REPLIES.read(bytes) as Reply
    return reply.kind === 'AccountOpened' ? { ...reply, more: true } : reply
  }
  expect(await differing({ read })).toEqual(new Set(['value of AccountOpened']))
})

test('a kind without an entry, a new field, a new enum value and a removed kind are named', async () => {
  const { Done, ApprovalNeeded: _, ...others } = arbitraryReplyByKind
  const tagged = Done.chain((done) => fc.constantFrom(done, { ...done, tag: 'a' }))
  const arbitraries = { ...others, Done: tagged, OrderHidden: Done }
  expect(await differing({ arbitraries })).toEqual(
    new Set(['missing of Done', 'missing of OrderHidden', 'unknown of ApprovalNeeded']),
  )
})

test('recording keeps existing entries, adds missing ones, and writes bytes anew only under another version', async () => {
  const write = (reply: Reply) => Uint8Array.of(...REPLIES.write(reply), 0)
  const before = parseEntries(await codecPart(REPLIES).record(NOTHING_ANEW))
  const same = parseEntries(await codecPart({ ...REPLIES, write }).record(NOTHING_ANEW))
  expect(same).toEqual(before)
  const raised = { ...REPLIES, write, version: ['link version', 'the next one'] as const }
  const { entries, notes } = parseEntries(await codecPart(raised).record(NOTHING_ANEW))
  expect(notes).toEqual({ 'link version': 'the next one' })
  expect(entries).toEqual(before.entries.map((entry) => ({ ...entry, bytes: `${entry.bytes}00` })))
  const arbitraries = { ...REPLIES.arbitraries, Another: arbitraryReplyByKind.Done }
  const more = parseEntries(await codecPart({ ...REPLIES, arbitraries }).record(NOTHING_ANEW))
  expect(more.entries.filter(({ kind }) => kind !== 'Another')).toEqual([...before.entries])
  expect(more.entries.some(({ kind }) => kind === 'Another')).toBe(true)
})
