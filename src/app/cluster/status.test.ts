import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LEADS, leadSentence } from './status.ts'

/** The sentences in the documents' table, with placeholders for names and figures as patterns. */
function documented(): readonly RegExp[] {
  const page = path.join(import.meta.dir, '../../../docs/cluster-operations.md')
  const [, section = ''] = readFileSync(page, 'utf8').split('## Reading check and status\n')
  const cells = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, cell = '']) => cell,
  )
  const sentences = cells.filter((cell) => cell !== 'leads')
  return sentences.map((cell) => new RegExp(`^${cell.split('...').map(RegExp.escape).join('.+')}$`))
}

test('the table of cluster-operations.md has every sentence about who leads, and no others', () => {
  const database = { epoch: 7, leader: 'engine-1', heardMsAgo: 12_345, last: undefined }
  const sentences = LEADS.map(
    (lead) => `${leadSentence(lead, database)}${lead === 'SEALED' ? ': moved' : ''}`,
  )
  const patterns = documented()
  expect(patterns).toHaveLength(LEADS.length)
  expect(sentences.filter((sentence) => !patterns.some((pattern) => pattern.test(sentence)))).toEqual([])
  expect(patterns.filter((pattern) => !sentences.some((sentence) => pattern.test(sentence)))).toEqual([])
})
