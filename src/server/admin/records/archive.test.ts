import { expect, test } from 'bun:test'
import type { ArchivePort, RecordedArchive } from '../../../engine/archive/archived.ts'
import { JournalFault, type JournalFaultKind } from '../../../engine/port/journal.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { type AdminContext, AdminRequestError } from '../context.ts'
import { listArchives, recordArchive, trimArchived } from './archive.ts'

const HASH = new Uint8Array(32).fill(7)
const ARCHIVE: RecordedArchive = {
  after: { position: 0, seq: 0 as Seq },
  end: { position: 4, epoch: 0, seq: 9 as Seq, time: 12 as TimeMs, hash: HASH },
  firstHash: HASH,
  digest: HASH,
  bytes: 1_000,
  file: 'archive/a.archive',
}

function contextOf(archiving: Partial<ArchivePort> | undefined, token?: string): AdminContext {
  return { feed: { archiving }, caller: { token, role: 'OPERATOR', rights: [] } } as unknown as AdminContext
}

test('an archive that the node lists is the one that it was given to record', async () => {
  const recorded: RecordedArchive[] = []
  const context = contextOf({
    record: async (archive) => void recorded.push(archive),
    archives: async () => recorded,
  })
  await recordArchive(
    context,
    (await listArchives(contextOf({ archives: async () => [ARCHIVE] })))[0] as never,
  )
  expect(recorded).toEqual([ARCHIVE])
  const [listed] = await listArchives(context)
  await expect(recordArchive(context, { ...listed, digest: 'AAAA' } as never)).rejects.toThrow(
    'digest: expected 32 bytes as base64, found 3',
  )
})

test('a named token neither records an archive nor removes what is archived', async () => {
  const context = contextOf({ archives: async () => [ARCHIVE] }, 'anna')
  const [archive] = await listArchives(context)
  for (const refused of [recordArchive(context, archive as never), trimArchived(context, { batchesMax: 1 })])
    await expect(refused).rejects.toMatchObject({ error: { reason: 'OWN_TOKEN_NEEDED' } })
})

test('the reason of a journal for refusing is reported, and so is a journal without an archive', async () => {
  const reasonOf = async (kind: JournalFaultKind) => {
    const trim = () => Promise.reject(new JournalFault(kind, 'why'))
    const cause = await trimArchived(contextOf({ trim }), { batchesMax: 1 }).catch((error: unknown) => error)
    return cause instanceof AdminRequestError ? cause.error.reason : (cause as JournalFault).kind
  }
  expect(await reasonOf('DAMAGED')).toBe('JOURNAL_DAMAGED')
  expect(await reasonOf('STORAGE_FULL')).toBe('STORAGE_FULL')
  expect(await reasonOf('UNSUPPORTED')).toBe('NO_ARCHIVE')
  expect(await reasonOf('FAILED')).toBe('FAILED')
  await expect(listArchives(contextOf(undefined))).rejects.toMatchObject({ error: { reason: 'NO_ARCHIVE' } })
})
