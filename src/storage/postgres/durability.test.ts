import { describe, expect, test } from 'bun:test'
import { type Durability, type DurabilityStatus, type Found, judge, parseStandbyNames } from './durability.ts'

const QUORUM: Durability = { kind: 'quorum', standbys: ['east', 'west'], confirmations: 1 }
const STORAGE: Durability = { kind: 'storage' }

const SOUND: Found = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  synchronous_standby_names: 'ANY 1 (east, west)',
  wal_level: 'replica',
  data_checksums: 'on',
  zero_damaged_pages: 'off',
  idle_session_timeout: '0',
  server_version_num: '180004',
}
const STANDING: DurabilityStatus = {
  isStandby: false,
  following: ['west', 'East', 'backup'],
  seesProgress: true,
  excessiveRights: [],
  seesIdentity: true,
  pooled: undefined,
}

/** Severity and subject of each finding, for settings and conditions that differ from correct ones. */
function found(
  durability: Durability,
  settings: Found = {},
  standing: Partial<DurabilityStatus> = {},
): string[] {
  const findings = judge(durability, { ...SOUND, ...settings }, { ...STANDING, ...standing })
  for (const { mend, expected } of findings) expect(Math.min(mend.length, expected.length)).toBeGreaterThan(0)
  return findings.map(({ severity, about }) => `${severity} ${about}`)
}

test('a database with the declared settings has no findings', () => {
  expect(found(QUORUM)).toEqual([])
  expect(found(QUORUM, { synchronous_commit: 'remote_apply', wal_level: 'logical' })).toEqual([])
  expect(found(STORAGE, { synchronous_standby_names: '' }, { following: [] })).toEqual([])
  expect(found({ kind: 'single' })).toEqual(['WEAKENS durability'])
})

describe('acknowledged orders can be lost', () => {
  test('where commits are not synced', () => {
    for (const durability of [QUORUM, STORAGE]) {
      expect(found(durability, { fsync: 'off' })).toEqual(['LOSES fsync'])
      expect(found(durability, { synchronous_commit: 'off' })).toEqual(['LOSES synchronous_commit'])
    }
    expect(found(QUORUM, { full_page_writes: 'off' })).toEqual(['LOSES full_page_writes'])
    expect(found(STORAGE, { full_page_writes: 'off' })).toEqual(['WEAKENS full_page_writes'])
  })

  test('where a commit waits for no standby’s disk', () => {
    for (const level of ['local', 'remote_write']) {
      expect(found(QUORUM, { synchronous_commit: level })).toEqual(['LOSES synchronous_commit'])
      expect(found(STORAGE, { synchronous_commit: level })).toEqual([])
    }
  })

  test('where the standbys that confirm a commit are not the declared ones', () => {
    const names = ['', ' ', 'backup', '*', 'ANY 1 (*)', 'ANY 1 (east, west, backup)', 'ANY 1 (east']
    for (const text of names) {
      const findings = found(QUORUM, { synchronous_standby_names: text })
      expect([text, findings]).toEqual([text, ['LOSES synchronous_standby_names']])
    }
    const two: Durability = { ...QUORUM, confirmations: 2 }
    for (const text of ['ANY 1 (east, west)', 'FIRST 1 (east, west)', 'east, west']) {
      expect(found(two, { synchronous_standby_names: text })).toEqual(['LOSES synchronous_standby_names'])
    }
    expect(found(two, { synchronous_standby_names: '2 (East, "west")' })).toEqual([])
  })

  test('where damage is ignored', () => {
    expect(found(QUORUM, { zero_damaged_pages: 'on' })).toEqual(['LOSES zero_damaged_pages'])
    expect(found(QUORUM, { data_checksums: 'off' })).toEqual(['WEAKENS data_checksums'])
  })
})

test('nothing can be acknowledged without a primary, enough standbys and the right to see them', () => {
  expect(found(QUORUM, {}, { isStandby: true })).toEqual(['STOPS pg_is_in_recovery'])
  expect(found(QUORUM, {}, { following: ['backup'] })).toEqual(['STOPS standbys'])
  expect(found(QUORUM, {}, { following: ['west'] })).toEqual(['WEAKENS standbys'])
  expect(
    found(
      { ...QUORUM, confirmations: 2 },
      { synchronous_standby_names: '2 (east, west)' },
      { following: ['west'] },
    ),
  ).toEqual(['STOPS standbys'])
  expect(found(QUORUM, {}, { seesProgress: false })).toEqual(['STOPS rights'])
  expect(found(QUORUM, { wal_level: 'minimal' })).toEqual(['STOPS wal_level'])
  expect(found(QUORUM, { server_version_num: '130011' })).toEqual(['STOPS server_version_num'])
})

test('rights that the engine does not need, and a session without a time limit, are weaknesses', () => {
  expect(found(QUORUM, {}, { excessiveRights: ['UPDATE'] })).toEqual(['WEAKENS rights'])
  expect(found(QUORUM, { idle_session_timeout: '60000' })).toEqual(['WEAKENS idle_session_timeout'])
})

test('the names of standbys are read in every form that PostgreSQL accepts', () => {
  const forms: [string, number, string[]][] = [
    ['east', 1, ['east']],
    ['east, west', 1, ['east', 'west']],
    ['2 (east,west)', 2, ['east', 'west']],
    ['FIRST 1 (east, west)', 1, ['east', 'west']],
    ['any 1(east)', 1, ['east']],
    ['ANY 3 ("a b", "c""d", *)', 3, ['a b', 'c"d', '*']],
    ['', 1, []],
  ]
  for (const [text, count, standbys] of forms) expect(parseStandbyNames(text)).toEqual({ count, standbys })
  for (const text of ['ANY (east)', 'ANY 1 (east', 'a b', '1 (a),'])
    expect(parseStandbyNames(text)).toBeUndefined()
})
