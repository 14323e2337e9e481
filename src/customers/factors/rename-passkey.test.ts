import { afterEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, Rig } from '../customers.fixture.ts'
import { PERSON_DAY_MAX } from '../day-limits.ts'

let rig = new Rig()
afterEach(() => {
  rig.close()
  rig = new Rig()
})

type Passkey = { readonly id: string; readonly label: string }

async function signedUp(mail = 'jo@example.org'): Promise<Browser> {
  const browser = rig.browser()
  await browser.signUp(mail)
  return browser
}

async function passkeysOf(browser: Browser): Promise<readonly Passkey[]> {
  return (await browser.get('me')).data.passkeys as readonly Passkey[]
}

async function kindsOf(browser: Browser): Promise<readonly string[]> {
  const history = (await browser.get('history')).data as unknown as readonly { readonly kind: string }[]
  return history.map(({ kind }) => kind)
}

test('a passkey gets another name without a step-up; it still signs in, no session ends, and the history has it', async () => {
  const jo = await signedUp()
  const other = rig.browser()
  await other.signIn(jo.passkey as NonNullable<typeof jo.passkey>)
  const [passkey] = await passkeysOf(jo)
  const renamed = await jo.post('passkey/rename', { id: passkey?.id, label: 'blue security key' })
  expect(renamed.status).toBe(200)
  expect(await passkeysOf(other)).toMatchObject([{ id: passkey?.id, label: 'blue security key' }])
  expect((await rig.browser().signIn(jo.passkey as NonNullable<typeof jo.passkey>)).status).toBe(200)
  expect((await kindsOf(jo)).filter((kind) => kind === 'PASSKEY_RENAMED')).toHaveLength(1)
  expect(rig.context.store.marks.wanted()).toEqual([])
  expect(rig.mails().filter(({ kind }) => kind === 'PASSKEY_RENAMED')).toHaveLength(1)
})

test('more renames than the daily limit of changes are refused, and each one is in the history', async () => {
  const jo = await signedUp()
  const [passkey] = await passkeysOf(jo)
  const { changes } = PERSON_DAY_MAX
  for (let i = 0; i < changes; i++)
    expect((await jo.post('passkey/rename', { id: passkey?.id, label: `name ${i}` })).status).toBe(200)
  const more = await jo.post('passkey/rename', { id: passkey?.id, label: 'one more' })
  expect(more.reason).toBe('DAY_LIMIT_REACHED')
  expect(await passkeysOf(jo)).toMatchObject([{ label: `name ${changes - 1}` }])
  expect((await kindsOf(jo)).filter((kind) => kind === 'PASSKEY_RENAMED')).toHaveLength(changes)
})

test('a rename to the present name changes nothing', async () => {
  const jo = await signedUp()
  const [passkey] = await passkeysOf(jo)
  for (let times = 0; times < 2; times++)
    expect((await jo.post('passkey/rename', { id: passkey?.id, label: 'laptop' })).status).toBe(200)
  expect((await kindsOf(jo)).filter((kind) => kind === 'PASSKEY_RENAMED')).toHaveLength(1)
})

test('a passkey of another person, and an unknown one, cannot be renamed', async () => {
  const [jo, al] = [await signedUp(), await signedUp('al@example.org')]
  const [own] = await passkeysOf(jo)
  for (const id of [own?.id, 'AAAA'])
    expect((await al.post('passkey/rename', { id, label: 'mine' })).reason).toBe('NO_SUCH_PASSKEY')
  expect(await passkeysOf(jo)).toEqual([own as Passkey])
})

test.each([
  ['label', { label: '' }],
  ['label', { label: 'x'.repeat(41) }],
  ['label', { label: 'one\nline' }],
  ['label', {}],
  ['id', { id: 7, label: 'laptop' }],
] as const)('a wrong %s is named, and nothing changes', async (field, wrong) => {
  const jo = await signedUp()
  const [passkey] = await passkeysOf(jo)
  const { status, text } = await jo.post('passkey/rename', { id: passkey?.id, ...wrong })
  expect([status, text]).toEqual([400, expect.stringContaining(field)])
  expect(await passkeysOf(jo)).toEqual([passkey as Passkey])
})

test('another origin, and a request without the token of the session, rename nothing', async () => {
  const jo = await signedUp()
  const [passkey] = await passkeysOf(jo)
  const body = { id: passkey?.id, label: 'theirs' }
  for (const header of [{ origin: 'https://evil.example' }, { 'x-csrf-token': 'wrong' }])
    expect((await jo.ask('POST', 'passkey/rename', body, header)).status).toBe(403)
  expect((await rig.browser().post('passkey/rename', body)).status).not.toBe(200)
  expect(await passkeysOf(jo)).toEqual([passkey as Passkey])
})

test('the name is encrypted in the file', async () => {
  const jo = await signedUp()
  const [passkey] = await passkeysOf(jo)
  await jo.post('passkey/rename', { id: passkey?.id, label: 'blue herons of jo' })
  for (const name of readdirSync(rig.directory))
    expect([name, readFileSync(join(rig.directory, name)).includes('blue herons')]).toEqual([name, false])
})
