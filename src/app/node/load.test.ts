import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keepMasterKeys, loadMasterKey, newMasterKey } from './load-master-key.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-master-key-'))
const file = path.join(directory, 'master.key')
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const FROM_FILE = { masterKey: undefined, masterKeyPrevious: undefined }
const KEY = 'a0'.repeat(32)

test('a malformed key is refused with what is wrong about it, and never shown', () => {
  const because = (name: string) => `${name} in the environment: expected 64 hexadecimal digits, found `
  const given = (masterKey: string, masterKeyPrevious?: string) => () =>
    loadMasterKey('unused', { masterKey, masterKeyPrevious })
  expect(given('ab')).toThrow(`${because('BOURSE_MASTER_KEY')}2 characters`)
  expect(given(`g${'0'.repeat(63)}`)).toThrow(`${because('BOURSE_MASTER_KEY')}other characters`)
  expect(given(KEY, 'ab')).toThrow(`${because('BOURSE_MASTER_KEY_PREVIOUS')}2 characters`)
})

test('one or two keys, newest first, are stored for the owner alone and read back', () => {
  for (const previous of [undefined, newMasterKey()]) {
    const keys = { newest: newMasterKey(), previous }
    keepMasterKeys(directory, keys)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(loadMasterKey(directory, FROM_FILE)).toEqual({ ...keys, source: 'FILE' })
  }
  writeFileSync(file, `${KEY}\n${KEY}\n${KEY}\n`, { mode: 0o600 })
  expect(() => loadMasterKey(directory, FROM_FILE)).toThrow('expected one key or two, found 3')
})

test('a master.key that its group or others may use is refused, with the command that restricts it', () => {
  writeFileSync(file, `${KEY}\n`)
  for (const mode of [0o644, 0o640, 0o602, 0o610]) {
    chmodSync(file, mode)
    expect(() => loadMasterKey(directory, FROM_FILE)).toThrow(
      `${file} is accessible to others (mode 0${mode.toString(8)}), but contains a secret. Restrict it: chmod 600 ${file}`,
    )
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(file, mode)
    expect(loadMasterKey(directory, FROM_FILE).source).toBe('FILE')
  }
})
