import { beforeEach, expect, test } from 'bun:test'
import { signal } from '@preact/signals'
import type { KeyHolder, KeyState } from '../../key/key-holder.ts'
import type { AccountApi, AccountConfig } from '../account-api.ts'
import type { MailLink } from '../mail-link.ts'
import { EntryFlow } from './entry-flow.ts'

const TOKEN = 'A'.repeat(43)

let sent: (readonly [path: string, body: object])[]
let config: AccountConfig

beforeEach(() => {
  sent = []
  config = {
    ...{ origin: 'http://localhost:8080', state: 'NOBODY', signUp: 'OPEN' },
    ...{ termsVersion: 1, isSandbox: false },
  }
})

/** A page that was opened by an email link of this kind. */
async function opened(kind: MailLink['kind']): Promise<EntryFlow> {
  const api = {
    config: async () => config,
    post: async (path: string, body: object) => {
      sent.push([path, body])
      return path === 'recover/request' ? { readyAt: 1_790_000_000_000 } : { state: 'SIGNUP' }
    },
  } as unknown as AccountApi
  const holder = { state: signal<KeyState>({ kind: 'none' }) } as unknown as KeyHolder
  const flow = new EntryFlow({ api, holder, link: { kind, token: TOKEN }, onDone: () => {} })
  await flow.start()
  return flow
}

test('a link that operators have sent leads to a new passkey, and to nothing else', async () => {
  const flow = await opened('reset')
  expect([flow.step.value, sent]).toEqual(['RESET', []])
  await flow.reset()
  expect(sent).toEqual([['reset/confirm', { token: TOKEN }]])
  expect([flow.step.value, flow.mayUsePassword]).toEqual(['PASSKEY', false])
})

test('a recovery link sends a request to operators only when the person confirms', async () => {
  const flow = await opened('recover')
  flow.show('ASK_OPERATORS')
  expect(sent).toEqual([])
  await flow.askOperators()
  expect(sent).toEqual([['recover/request', { token: TOKEN }]])
  expect([flow.step.value, flow.readyAt.value]).toEqual(['ASKED', 1_790_000_000_000])
})

test('the link to another email address asks for a sign-in first, where there is no session', async () => {
  const flow = await opened('mail')
  expect([flow.step.value, flow.note.value]).toEqual(['BEGIN', 'Sign in to confirm your new email address.'])
  config = { ...config, state: 'SESSION' }
  const signedIn = await opened('mail')
  expect([signedIn.step.value, signedIn.note.value]).toEqual(['MAIL', ''])
  await signedIn.confirmMail()
  expect(sent).toEqual([['mail/change/confirm', { token: TOKEN }]])
  expect(signedIn.step.value).toBe('MAIL_CHANGED')
})
