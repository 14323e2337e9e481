/**
 * One account on one screen: its data and balances, its keys, orders and money, the operators' actions on it,
 * and the available commands.
 */
import type { ComponentChildren } from 'preact'
import type { AdminKey, AdminSpecialTerms } from '../../../../contract/admin/records.ts'
import type { AdminOrder, AdminStory } from '../../../../contract/admin/support.ts'
import { decimalText, timeText } from '../../state/notation.ts'
import type { PageSession } from '../../state/page-session.ts'
import { type Said, say } from '../../texts/texts.ts'
import { Action } from '../parts/action.tsx'
import { Actions } from '../parts/actions.tsx'
import { useAsked } from '../parts/asked.ts'
import { Facts, Panel, Shown, State, Table } from '../parts/parts.tsx'
import { fieldsText } from '../parts/value.tsx'
import { AccountState } from './account-state.tsx'

type Parts = { readonly session: PageSession; readonly story: AdminStory; readonly onDone: () => void }

export function AccountStory({ session, name }: { readonly session: PageSession; readonly name: string }) {
  const story = useAsked(session, 'account/story', { account: name })
  return (
    <Shown asked={story}>
      {(found) => {
        const parts = { session, story: found, onDone: story.again }
        return (
          <div class="stack">
            <Card {...parts} />
            <Money {...parts} />
            <Keys {...parts} />
            <Orders {...parts} />
            <Panel title="Commands by operators">
              <Actions label="Commands by operators" actions={found.actions} />
            </Panel>
          </div>
        )
      }}
    </Shown>
  )
}

function Card({ session, story, onDone }: Parts) {
  const { account, restrictedBy } = story
  const parts = { session, fixed: { account: account.name }, record: account, onDone }
  const { terms } = account
  return (
    <Panel
      title={say('Account {name}', { name: account.name })}
      actions={
        account.role === 'trader' && (
          <>
            <Action {...parts} command="account freeze" label="Freeze" isDangerous />
            <Action {...parts} command="account restrict" label="Restrict" />
            <Action {...parts} command="account unfreeze" label="Unfreeze" />
            <Action {...parts} command="account note" label="Edit notes" />
            <Action {...parts} command="account set" label="Tier and limits" />
            <Action {...parts} command="account terms" label="Special terms" record={terms ?? NO_TERMS} />
            <Action
              {...parts}
              command="order cancel-all"
              label="Cancel all orders"
              record={{ openOrders: story.openOrders }}
              isDangerous
            />
            <Action {...parts} command="account close" label="Close account" isDangerous />
          </>
        )
      }
    >
      <Facts
        pairs={[
          ['State', <AccountState key="state" account={account} />],
          ...(restrictedBy === null
            ? []
            : ([
                ['Restricted by', `${restrictedBy.actor}: ${restrictedBy.note || say('no note')}`],
              ] as const)),
          ['Role', account.role],
          ['Opened', `${timeText(account.createdAt)} UTC`],
          ['Customer', account.customerId || '–'],
          ['Labels', account.labels.join(', ') || '–'],
          ['Fields', account.fields.join(', ') || '–'],
          ['Remark', account.remark || '–'],
          ['Fee tier', account.feeTier ?? '–'],
          ['Maximum open orders', String(account.openOrdersMax ?? say('the symbol’s limit'))],
          ['Special terms', terms === null ? say('none') : termsText(terms)],
        ]}
      />
    </Panel>
  )
}

const NO_TERMS = { makerRate: null, takerRate: null, openOrdersMax: null, orderRateTimes: null }

function termsText({ makerRate, takerRate, ratesUntil, ratesInForce }: AdminSpecialTerms): Said {
  const values = { maker: makerRate ?? '–', taker: takerRate ?? '–', time: timeText(ratesUntil) }
  return ratesInForce
    ? say('maker {maker}, taker {taker}, until {time}', values)
    : say('maker {maker}, taker {taker}, until {time} (ended)', values)
}

function Money({ session, story, onDone }: Parts) {
  const parts = { session, fixed: { account: story.account.name }, onDone }
  return (
    <Panel
      title="Money"
      actions={
        <>
          <Action {...parts} command="credit" label="Credit" />
          <Action {...parts} command="debit" label="Debit" isDangerous />
          <Action {...parts} command="move" label="Move" />
          <Action {...parts} command="withdrawal hold" label="Create withdrawal" />
        </>
      }
    >
      <Table
        label="Balances"
        rows={story.balances}
        keyOf={({ asset }) => asset}
        none="This account holds no money."
        columns={[
          { title: 'Asset', cell: ({ asset }) => asset },
          { title: 'Free', isFigure: true, cell: ({ free }) => decimalText(free) },
          { title: 'In orders', isFigure: true, cell: ({ locked }) => decimalText(locked) },
          { title: 'Frozen', isFigure: true, cell: ({ freeze }) => decimalText(freeze) },
          { title: 'Savings', isFigure: true, cell: ({ savings }) => decimalText(savings) },
        ]}
      />
      <h3>{say('Money history')}</h3>
      <Table
        label="Money history"
        rows={story.money}
        keyOf={({ number }) => number}
        none="Nothing has happened yet."
        columns={[
          { title: 'Time, UTC', cell: ({ time }) => timeText(time) },
          { title: 'Kind', cell: ({ kind }) => kind },
          { title: 'Details', isText: true, cell: ({ fields }) => fieldsText(fields) },
          { title: 'Who', cell: ({ actor }) => actor || '–' },
          { title: 'Note', isText: true, cell: ({ note }) => note || '–' },
        ]}
      />
    </Panel>
  )
}

function Keys({ session, story: { account, keys }, onDone }: Parts) {
  return (
    <Panel
      title="API keys"
      actions={
        <Action
          session={session}
          command="key add"
          label="Create API key"
          fixed={{ account: account.name }}
          onDone={onDone}
        />
      }
    >
      <Table
        label="API keys"
        rows={keys}
        keyOf={({ apiKey }) => apiKey}
        none="This account has no API keys."
        columns={[
          { title: 'Key', cell: ({ apiKey }) => <code>{apiKey}</code> },
          { title: 'Number', cell: ({ number }) => (number === null ? '–' : `#${number}`) },
          { title: 'State', cell: keyState },
          { title: 'Kind', cell: ({ kind, wire }) => (wire === 'BOURSE' ? kind : `${kind}, ${wire}`) },
          { title: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
          { title: 'Allowed addresses', cell: ({ addresses }) => addresses.join(', ') || say('any') },
          {
            title: 'Expires, UTC',
            cell: ({ expiresAt }) => (expiresAt === null ? say('never') : timeText(expiresAt)),
          },
          { title: 'Last used, UTC', cell: ({ lastUsedAt }) => timeText(lastUsedAt) },
          { title: 'Label', cell: ({ label }) => label || '–' },
          {
            title: 'Action',
            isFirst: true,
            cell: (key) => <KeyActions session={session} apiKey={key} onDone={onDone} />,
          },
        ]}
      />
    </Panel>
  )
}

function keyState({ revoked, enabled }: AdminKey): ComponentChildren {
  if (revoked) return <State word="revoked" kind="bad" />
  return enabled ? <State word="enabled" kind="good" /> : <State word="disabled" kind="warn" />
}

function KeyActions({
  session,
  apiKey: key,
  onDone,
}: {
  readonly session: PageSession
  readonly apiKey: AdminKey
  readonly onDone: () => void
}) {
  const { apiKey, revoked, enabled } = key
  if (revoked) return null
  const parts = { session, fixed: { apiKey }, record: key, onDone }
  return (
    <div class="actions">
      {enabled ? (
        <Action {...parts} command="key disable" label="Disable" />
      ) : (
        <Action {...parts} command="key enable" label="Enable" />
      )}
      <Action {...parts} command="key set" label="Change" />
      <Action {...parts} command="key rotate" label="Replace secret" />
      <Action {...parts} command="key revoke" label="Revoke" isDangerous />
    </div>
  )
}

function Orders({ session, story: { openOrders, orders }, onDone }: Parts) {
  return (
    <Panel title={say('Orders, {count} open', { count: openOrders })}>
      <Table<AdminOrder>
        label="Orders"
        rows={orders}
        keyOf={({ id }) => id}
        none="This account has placed no orders."
        columns={[
          { title: 'Placed, UTC', cell: ({ createdAt }) => timeText(createdAt) },
          { title: 'Symbol', cell: ({ symbol }) => symbol },
          { title: 'Side', cell: ({ side }) => side },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Price', isFigure: true, cell: ({ price }) => decimalText(price ?? '–') },
          { title: 'Quantity', isFigure: true, cell: ({ quantity }) => decimalText(quantity ?? '–') },
          {
            title: 'Filled',
            isFigure: true,
            cell: ({ executedQuantity }) => decimalText(executedQuantity),
          },
          { title: 'Status', cell: ({ status, endReason }) => [status, endReason].filter(Boolean).join(' ') },
          { title: 'Placed by', isText: true, cell: ({ keyName }) => keyName ?? '–' },
          { title: 'Order id', cell: ({ id }) => <code>{id}</code> },
          {
            title: 'Action',
            isFirst: true,
            cell: ({ id, status }) =>
              /^(NEW|PARTIALLY_FILLED|OPEN)/.test(status) && (
                <Action
                  session={session}
                  command="order cancel"
                  label="Cancel"
                  fixed={{ order: id }}
                  onDone={onDone}
                />
              ),
          },
        ]}
      />
    </Panel>
  )
}
