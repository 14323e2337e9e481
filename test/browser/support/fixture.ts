/**
 * A sandbox as people start it and a browser, for the tests of one file. After every test its pages are
 * closed; no page may have caused an error or warning of the browser or a request to another origin.
 */
import { afterAll, afterEach, beforeAll, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, ViewportSize } from 'playwright-core'
import type { AdminAddress, AdminOperation } from '../../../src/contract/admin/admin.ts'
import {
  BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  signed,
} from '../../support/bourse-process.ts'
import { adminResult } from './admin.ts'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { closePages } from './close-pages.ts'
import { live } from './shown.ts'

type OpenOptions = {
  readonly locale?: string
  readonly host?: string
  /** Address through which the node is reached. */
  readonly address?: string
}

export class Fixture {
  readonly #directory = dataDirectory()
  readonly #opened: (WatchedPage & { readonly origin: string })[] = []
  #node: BourseProcess | undefined
  #browser: Browser | undefined
  #baseUrl = ''

  /** The node's data is in `data/sandbox` of this directory, as in a checkout. */
  get home(): string {
    return this.#directory.path
  }

  get baseUrl(): string {
    return this.#baseUrl
  }

  /** The part of the page's printed address after its path. */
  get #code(): string {
    return new URL(readSandbox(this.#data).pageUrl).search
  }

  get alice(): Credentials {
    return this.#account('alice')
  }

  get bob(): Credentials {
    return this.#account('bob')
  }

  async setUp(): Promise<void> {
    const [browser] = await Promise.all([launchBrowser(), this.startNode()])
    this.#browser = browser
  }

  async tearDown(): Promise<void> {
    await this.#browser?.close()
    await this.#node?.end('SIGKILL')
    this.#directory.remove()
  }

  /** Starts the node, on its previous port if it had one. */
  async startNode(): Promise<void> {
    const port = this.#baseUrl === '' ? '0' : new URL(this.#baseUrl).port
    this.#node = new BourseProcess(['sandbox', '--port', port, '--data', this.#data])
    this.#baseUrl = await this.#node.ready
  }

  async stopNode(): Promise<void> {
    expect(await this.#node?.end('SIGTERM')).toBe(0)
  }

  /**
   * Opens the live page of this symbol; optionally in a browser of another language, under another name of
   * the machine, or over another address.
   */
  async open(
    symbol: string,
    viewport?: ViewportSize,
    { locale, host, address = this.#baseUrl }: OpenOptions = {},
  ): Promise<WatchedPage> {
    if (this.#browser === undefined) throw new Error('the browser is not there yet')
    const origin = host === undefined ? address : address.replace('127.0.0.1', host)
    const watched = await openPage(this.#browser, `${origin}/${this.#code}#${symbol}`, viewport, locale)
    this.#opened.push({ ...watched, origin })
    await live(watched.page)
    return watched
  }

  async closePages(): Promise<void> {
    await closePages(this.#opened.splice(0))
  }

  /** Calls an operation with the node's own token. */
  async operate<Result = unknown>(operation: AdminOperation, body: object): Promise<Result> {
    const admin = JSON.parse(readFileSync(path.join(this.#data, 'admin.json'), 'utf8')) as AdminAddress
    return (await adminResult(admin, operation, body)) as Result
  }

  /** Places a LIMIT order that must be accepted. */
  async place(
    account: Credentials,
    symbol: string,
    side: 'BUY' | 'SELL',
    quantity: string,
    price: string,
  ): Promise<void> {
    const fields = { symbol, side, type: 'LIMIT', quantity, price }
    const response = await signed(this.#baseUrl, account, 'POST', 'order', fields)
    expect(await response.json()).toMatchObject({ status: true })
  }

  get #data(): string {
    return path.join(this.home, 'data/sandbox')
  }

  #account(wanted: string): Credentials {
    const found = readSandbox(this.#data).accounts.find(({ name }) => name === wanted)
    if (found === undefined) throw new Error(`the sandbox has no account '${wanted}'`)
    return found
  }
}

/** The fixture of a test file, set up before its first test and removed after its last. */
export function pageFixture(): Fixture {
  const fixture = new Fixture()
  beforeAll(() => fixture.setUp())
  afterEach(() => fixture.closePages())
  afterAll(() => fixture.tearDown())
  return fixture
}
