/** The files of docs/api, as they are generated now. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { accountDocument } from '../../src/contract/publish/account-openapi.ts'
import { accountPage } from '../../src/contract/publish/account-page.ts'
import { asyncApiDocument } from '../../src/contract/publish/asyncapi.ts'
import { clientEndpoints } from '../../src/contract/publish/client-interface.ts'
import type { FirstProgram } from '../../src/contract/publish/first-steps.ts'
import { openApiDocument } from '../../src/contract/publish/openapi.ts'
import { httpPage, streamPage } from '../../src/contract/publish/pages.ts'
import { postmanCollection } from '../../src/contract/publish/postman.ts'
import { marked, reference } from '../support/reference.ts'

const ROOT = path.join(import.meta.dir, '..', '..')

export const API = path.join(ROOT, 'docs', 'api')

export const CLIENT_ENDPOINTS = path.join(ROOT, 'src', 'client', 'endpoints.ts')

function pages(): readonly string[] {
  const names = readdirSync(path.join(ROOT, 'docs', 'reference'))
  return names.toSorted().map((name) => reference(name.replace(/\.md$/, '')))
}

/** Examples of answers by name, from all pages of the reference. */
export function answerExamples(): ReadonlyMap<string, unknown> {
  const examples = pages().flatMap((page) => [...marked(page, 'answer')])
  return new Map(examples.map(([name, text]) => [name, JSON.parse(text)]))
}

/** Examples of messages, each a line of a page. */
export function messageExamples(): readonly unknown[] {
  const blocks = pages().flatMap((page) => [...marked(page, 'messages').values()])
  return blocks.flatMap((block) =>
    block
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  )
}

/** The programs of the reference that sign and place an order. */
export function firstPrograms(): readonly FirstProgram[] {
  const programs = marked(reference('authentication'), 'snippet')
  const text = (name: string) => {
    const found = programs.get(name)
    if (found === undefined)
      throw new Error(`expected the program ${name} in docs/reference/authentication.md`)
    return found
  }
  return [
    { id: 'shell', language: 'curl', text: text('sign.sh') },
    { id: 'python', language: 'Python', text: text('sign.py') },
    { id: 'javascript', language: 'JavaScript', text: text('sign.mjs') },
  ]
}

/** Text by the name of its file. */
export function documents(): ReadonlyMap<string, string> {
  const text = (document: unknown) => `${JSON.stringify(document, null, 1)}\n`
  const openApi = openApiDocument(answerExamples())
  const asyncApi = asyncApiDocument(messageExamples())
  const account = accountDocument()
  return new Map([
    ['openapi.json', text(openApi)],
    ['asyncapi.json', text(asyncApi)],
    ['account.json', text(account)],
    ['account.html', accountPage(account)],
    ['postman.json', text(postmanCollection())],
    ['index.html', httpPage(openApi, firstPrograms())],
    ['stream.html', streamPage(asyncApi)],
  ])
}

/** The typed client's table of endpoints, formatted as the tree is. */
export function clientTable(): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [
      path.join(ROOT, 'node_modules', '.bin', 'biome'),
      'check',
      '--write',
      `--stdin-file-path=${CLIENT_ENDPOINTS}`,
    ],
    { cwd: ROOT, stdin: new TextEncoder().encode(clientEndpoints()) },
  )
  if (exitCode !== 0) throw new Error(`the table of the client cannot be formatted: ${stderr}${stdout}`)
  return stdout.toString()
}
