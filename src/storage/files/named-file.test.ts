import { afterAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { JournalFault } from '../../engine/port/journal.ts'
import { type FileProbe, statProbe, statxProbe } from './file-identity.ts'
import { NamedFile } from './named-file.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-named-'))
afterAll(() => rmSync(root, { recursive: true }))

let files = 0
/** A new file of this name in its own directory. */
function newFile(name = 'file'): string {
  const path = join(root, `${++files}`, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'contents')
  return path
}

function isGlibc(): boolean {
  return (
    process.platform === 'linux' &&
    'glibcVersionRuntime' in (process.report.getReport() as HeaderReport).header
  )
}
type HeaderReport = { readonly header: object }

/** Longer than a name or a usual buffer, and within the 4,096 bytes that Linux accepts. */
const DEEP = join(...Array.from({ length: 15 }, () => 'd'.repeat(200)), 'file')
const NAMES = ['file', 'a name with spaces', 'Ödeme günlüğü', '日誌-📒', DEEP]

test('the system is asked for the number alone where that is possible', () => {
  expect(statxProbe(newFile()) !== undefined).toBe(isGlibc())
})

const WAYS: readonly (readonly [string, (path: string) => FileProbe])[] = [
  ['the number alone', (path) => statxProbe(path) ?? statProbe(path)],
  ['all that the system has', statProbe],
]

for (const [way, lookBy] of WAYS) {
  describe(`asked for ${way}`, () => {
    test('a path leads to the device and the number that stat has for it', () => {
      const link = join(root, `link ${++files}`)
      symlinkSync(newFile(), link)
      const paths = [...NAMES.map(newFile), link, relative('.', newFile()), root]
      // Files on other devices; which ones exist differs from machine to machine.
      const others = ['/', '/proc', '/sys', '/dev', '/dev/shm', '/dev/null'].filter(existsSync)
      for (const path of [...paths, ...others]) {
        const { dev, ino } = statSync(path, { bigint: true })
        expect({ path, ...lookBy(path)() }).toEqual({ path, device: Number(dev), inode: ino })
      }
    })

    test('a file that stays where it is has its name at every check, whatever is written to it', () => {
      for (const name of NAMES) {
        const path = newFile(name)
        const file = new NamedFile(path, lookBy(path))
        for (const contents of ['', 'a', 'longer']) {
          writeFileSync(path, contents)
          expect(() => file.requireInPlace()).not.toThrow()
        }
      }
    })

    test('a file that lost its name is a fault that says how', () => {
      const lost: readonly (readonly [string, (path: string) => void])[] = [
        ['was removed', (path) => rmSync(path)],
        ['was removed', (path) => renameSync(path, `${path}.old`)],
        ['was removed', (path) => rmSync(dirname(path), { recursive: true })],
        ['was replaced', replace],
        ['was replaced', replaceDirectory],
        ['was replaced', replaceByLink],
        ['cannot inspect', replaceDirectoryByFile],
        ['cannot inspect', replaceByLoop],
      ]
      for (const name of ['file', 'günlük']) {
        for (const [said, lose] of lost) expect(faultAfter(lose, newFile(name), lookBy)).toInclude(said)
      }
    })

    test('a file that may no longer be checked is a fault, and counts again once it may', () => {
      const path = newFile()
      const file = new NamedFile(path, lookBy(path))
      file.requireInPlace()
      chmodSync(dirname(path), 0o000)
      // Root may inspect everything.
      const look = () => file.requireInPlace()
      if (process.getuid?.() === 0) expect(look).not.toThrow()
      else expect(look).toThrow(`cannot inspect ${path}`)
      chmodSync(dirname(path), 0o700)
      expect(look).not.toThrow()
    })

    test('a path that is too long or contains an end of text is a fault, and never another file', () => {
      const path = newFile()
      for (const odd of [`${root}/${'d/'.repeat(5_000)}file`, `${path}\0.odd`]) {
        expect(() => new NamedFile(odd, lookBy(odd)).requireInPlace()).toThrow(JournalFault)
      }
    })
  })
}

function faultAfter(lose: (path: string) => void, path: string, lookBy: (path: string) => FileProbe): string {
  const file = new NamedFile(path, lookBy(path))
  file.requireInPlace()
  lose(path)
  try {
    file.requireInPlace()
  } catch (cause) {
    if (cause instanceof JournalFault && cause.kind === 'FAILED') return cause.message
    throw cause
  }
  return 'no fault'
}

/**
 * Replaces the file by another one with the same contents that existed beside it, so no system gives both the
 * same number.
 */
function replace(path: string): void {
  cpSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
}

function replaceDirectory(path: string): void {
  const directory = dirname(path)
  renameSync(directory, `${directory}.lost`)
  cpSync(`${directory}.lost`, directory, { recursive: true })
}

function replaceByLink(path: string): void {
  cpSync(path, `${path}.copy`)
  rmSync(path)
  symlinkSync(`${path}.copy`, path)
}

function replaceDirectoryByFile(path: string): void {
  renameSync(dirname(path), `${dirname(path)}.lost`)
  writeFileSync(dirname(path), '')
}

function replaceByLoop(path: string): void {
  rmSync(path)
  symlinkSync(path, path)
}
