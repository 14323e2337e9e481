import { afterAll, expect, test } from 'bun:test'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { UNKNOWN_COMMIT, versionText } from '../contract/program-version.ts'
import { builtVersion, commitOf, programVersion } from './version.ts'

const root = mkdtempSync(path.join(tmpdir(), 'bourse-version-'))
afterAll(() => rmSync(root, { recursive: true }))

const DATE = '2026-03-04T05:06:07+03:00'

function git(...words: readonly string[]): string {
  const env = { ...process.env, GIT_AUTHOR_DATE: DATE, GIT_COMMITTER_DATE: DATE }
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false']
  const { success, stdout, stderr } = Bun.spawnSync(['git', '-C', root, ...who, ...words], { env })
  if (!success) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout.toString().trim()
}

test('a build is known by its commit, marked if it was changed, and by nothing where it has no repository', () => {
  expect(commitOf(root)).toEqual(UNKNOWN_COMMIT)
  writeFileSync(path.join(root, 'one.txt'), 'one')
  git('init', '-q')
  // A repository in which nothing was committed yet.
  expect(commitOf(root)).toEqual(UNKNOWN_COMMIT)
  git('add', 'one.txt')
  git('commit', '-q', '-m', 'one')
  const commit = git('rev-parse', 'HEAD').slice(0, 12)
  expect(commitOf(root)).toEqual({ commit, commitDate: DATE })
  writeFileSync(path.join(root, 'one.txt'), 'two')
  expect(commitOf(root)).toEqual({ commit: `${commit}+dirty`, commitDate: DATE })
  // A copy of the sources inside another checkout must not report that checkout's commit.
  const copy = path.join(root, 'copy')
  mkdirSync(copy)
  cpSync(path.join(root, 'one.txt'), path.join(copy, 'one.txt'))
  expect(commitOf(copy)).toEqual(UNKNOWN_COMMIT)
})

test('a build without a repository is given its commit, and refuses an invalid one', () => {
  const { number } = programVersion()
  const told = { BOURSE_COMMIT: '0123456789ab', BOURSE_COMMIT_DATE: DATE }
  expect(builtVersion(told)).toEqual({ number, commit: '0123456789ab', commitDate: DATE })
  expect(builtVersion({ BOURSE_COMMIT: '', BOURSE_COMMIT_DATE: '' })).toEqual(programVersion())
  expect(() => builtVersion({ BOURSE_COMMIT: 'main' })).toThrow('BOURSE_COMMIT: expected 7 to 64 hexadecimal')
})

test('the version for people has the number, the commit and its date, or says that the commit is unknown', () => {
  expect(versionText({ number: '1.2.3', commit: '0123456789ab+dirty', commitDate: DATE })).toBe(
    `1.2.3 (commit 0123456789ab+dirty of ${DATE})`,
  )
  expect(versionText({ number: '1.2.3', ...UNKNOWN_COMMIT })).toBe('1.2.3 (commit unknown)')
})
