/**
 * The possible values of a field that refers to an existing record: accounts that match the typed text, or
 * the assets, symbols and other records that the node lists.
 */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { AdminOperation } from '../../../../contract/admin/admin.ts'
import type { AdminAccount } from '../../../../contract/admin/records.ts'
import type { PageSession } from '../../state/page-session.ts'

export type Choice = { readonly value: string; readonly about: string }

type Source = (session: PageSession, typed: string) => Promise<readonly Choice[]>

const CHOICES_MAX = 20
/** Pause after typing before a request is sent. */
const TYPED_MS = 150

const accounts: Source = async (session, typed) => {
  if (typed === '') {
    const first = await session.ask('account/list', { limit: CHOICES_MAX }, { isBackground: true })
    return first.ok ? first.result.map(accountChoice) : []
  }
  const request = { text: typed, limit: CHOICES_MAX }
  const found = await session.ask('account/search', request, { isBackground: true })
  return found.ok ? found.result.accounts.map(accountChoice) : []
}

function accountChoice({ name, customerId, labels }: AdminAccount): Choice {
  return { value: name, about: [customerId, ...labels].join(' ').trim() }
}

const assets: Source = async (session) => {
  const answer = await session.ask('asset/list', {}, { isBackground: true })
  return answer.ok ? answer.result.map(({ code, name }) => ({ value: code, about: name })) : []
}

const symbols: Source = async (session) => {
  const answer = await session.ask('symbol/list', {}, { isBackground: true })
  return answer.ok ? answer.result.map(({ symbol, state }) => ({ value: symbol, about: state })) : []
}

const tiers: Source = async (session) => {
  const answer = await session.ask('tier/list', {}, { isBackground: true })
  return answer.ok ? answer.result.map(({ name }) => ({ value: name, about: '' })) : []
}

const roles: Source = async (session) => {
  const answer = await session.ask('role/list', {}, { isBackground: true })
  return answer.ok ? answer.result.map(({ name }) => ({ value: name, about: '' })) : []
}

const tokens: Source = async (session) => {
  const answer = await session.ask('token/list', {}, { isBackground: true })
  const open = answer.ok ? answer.result.filter(({ revoked }) => !revoked) : []
  return open.map(({ name, role }) => ({ value: name, about: role }))
}

const webhooks: Source = async (session) => {
  const answer = await session.ask('webhook/list', {}, { isBackground: true })
  return answer.ok ? answer.result.map(({ name, url }) => ({ value: name, about: url })) : []
}

type Known = { readonly source: Source; readonly asks: AdminOperation; readonly isByText?: true }

const ACCOUNTS: Known = { source: accounts, asks: 'account/search', isByText: true }
const ASSETS: Known = { source: assets, asks: 'asset/list' }
const SYMBOLS: Known = { source: symbols, asks: 'symbol/list' }
const TIERS: Known = { source: tiers, asks: 'tier/list' }
const ROLES: Known = { source: roles, asks: 'role/list' }
const TOKENS: Known = { source: tokens, asks: 'token/list' }
const WEBHOOKS: Known = { source: webhooks, asks: 'webhook/list' }

/**
 * By `operation.field`, or by field name if it is the same in all operations; null for a field that names a
 * new record.
 */
const KNOWN: Readonly<Record<string, Known | null>> = {
  account: ACCOUNTS,
  asset: ASSETS,
  code: ASSETS,
  'asset/add.code': null,
  symbol: SYMBOLS,
  'symbol/add.symbol': null,
  feeTier: TIERS,
  'tier/set.name': TIERS,
  role: ROLES,
  'role/set.name': ROLES,
  'role/remove.name': ROLES,
  'token/set.name': TOKENS,
  'token/revoke.name': TOKENS,
  'webhook/show.name': WEBHOOKS,
  'webhook/pause.name': WEBHOOKS,
  'webhook/resume.name': WEBHOOKS,
  'webhook/remove.name': WEBHOOKS,
  'webhook/test.name': WEBHOOKS,
  'webhook/retry.name': WEBHOOKS,
  'dead-event/list.name': WEBHOOKS,
}

/**
 * The choices for a field; undefined if the field does not refer to an existing record. Empty until they are
 * loaded, and for a role that may not read them.
 */
export function useChoices(
  session: PageSession,
  operation: AdminOperation,
  field: string,
  typed: string,
): readonly Choice[] | undefined {
  const own = KNOWN[`${operation}.${field}`]
  const known = own === undefined ? KNOWN[field] : own
  const choices = useSignal<readonly Choice[]>([])
  const text = known?.isByText ? typed : ''
  const mayAsk = known != null && session.state.value?.lacking[known.asks] === undefined
  useEffect(() => {
    if (!mayAsk || known == null) return
    let isGone = false
    const timer = setTimeout(
      async () => {
        const found = await known.source(session, text.trim())
        if (!isGone) choices.value = found
      },
      text === '' ? 0 : TYPED_MS,
    )
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [session, mayAsk, known, text])
  return known == null ? undefined : choices.value
}
