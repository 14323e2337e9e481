/** A sandbox, its admin server and a browser, for the tests of the operator's page. */
import { afterAll, afterEach, beforeAll } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, ViewportSize } from 'playwright-core'
import type { AdminAddress, AdminOperation } from '../../../src/contract/admin/admin.ts'
import { BourseProcess, dataDirectory } from '../../support/bourse-process.ts'
import { adminResult } from './admin.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { closePages } from './close-pages.ts'

export class OperatorFixture {
  readonly #directory = dataDirectory()
  readonly #opened: WatchedPage[] = []
  #node: BourseProcess | undefined
  #browser: Browser | undefined
  #admin: AdminAddress | undefined
  #publicUrl = ''

  /** URL for traders. */
  get publicUrl(): string {
    return this.#publicUrl
  }

  /** Everything that the node wrote, including its log. */
  get written(): string {
    return `${this.#node?.out}${this.#node?.err}`
  }

  /** The node's data directory. */
  get data(): string {
    return path.join(this.directory, 'data/sandbox')
  }

  /** The directory that contains the node's data directory. */
  get directory(): string {
    return this.#directory.path
  }

  /** The address of the admin server, and the node's own token. */
  get admin(): AdminAddress {
    if (this.#admin === undefined) throw new Error('the node has not started yet')
    return this.#admin
  }

  async setUp(): Promise<void> {
    const { data } = this
    this.#node = new BourseProcess(['sandbox', '--port', '0', '--data', data], { BOURSE_LOG_LEVEL: 'debug' })
    const [browser, publicUrl] = await Promise.all([launchBrowser(), this.#node.ready])
    this.#browser = browser
    this.#publicUrl = publicUrl
    this.#admin = JSON.parse(readFileSync(path.join(data, 'admin.json'), 'utf8')) as AdminAddress
  }

  async tearDown(): Promise<void> {
    await this.#browser?.close()
    await this.#node?.end('SIGKILL')
    this.#directory.remove()
  }

  /**
   * The result of an operation with a token, by default the node's own. Rejects if the operation is refused.
   */
  done(operation: AdminOperation, body: object = {}, token = this.admin.token): Promise<unknown> {
    return adminResult({ ...this.admin, token }, operation, body)
  }

  async newToken(name: string, role: string): Promise<string> {
    return ((await this.done('token/add', { name, role })) as { readonly token: string }).token
  }

  /** Opens the page without a login. */
  async open(viewport?: ViewportSize): Promise<WatchedPage> {
    if (this.#browser === undefined) throw new Error('the browser is not there yet')
    const watched = await openPage(this.#browser, `${this.admin.url}/`, viewport)
    this.#opened.push(watched)
    await watched.page.getByLabel('Your named token').waitFor()
    return watched
  }

  /** Opens the page logged in with a token. */
  async openAs(token: string, viewport?: ViewportSize): Promise<WatchedPage> {
    const watched = await this.open(viewport)
    await watched.page.getByLabel('Your named token').fill(token)
    await watched.page.getByRole('button', { name: 'Log in' }).click()
    await watched.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return watched
  }

  async closePages(): Promise<void> {
    const origin = this.admin.url
    await closePages(this.#opened.splice(0).map((watched) => ({ ...watched, origin })))
  }
}

/** The fixture of a test file, set up before its first test and removed after its last. */
export function operatorFixture(): OperatorFixture {
  const fixture = new OperatorFixture()
  beforeAll(() => fixture.setUp())
  afterEach(() => fixture.closePages())
  afterAll(() => fixture.tearDown())
  return fixture
}
