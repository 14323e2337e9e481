/** One account on one screen: what it is and has, its keys, orders and money, what operators did to it, and what may be done. */
import type { ComponentChildren } from 'preact'
import type { AdminKey } from '../../../../wire/admin-records.ts'
import type { AdminOrder, AdminStory } from '../../../../wire/admin-support.ts'
import type { PageSession } from '../../state/page-session.ts'
import { decimalText, fieldsText, timeText } from '../../state/words.ts'
import { Action } from '../parts/action.tsx'
import { Actions } from '../parts/actions.tsx'
import { useAsked } from '../parts/asked.ts'
import { Facts, Panel, Shown, State, Table } from '../parts/parts.tsx'
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
            <Panel title="What operators did">
              <Actions label="What operators did" actions={found.actions} />
            </Panel>
          </div>
        )
      }}
    </Shown>
  )
}

function Card({ session, story: { account, restrictedBy }, onDone }: Parts) {
  const parts = { session, fixed: { account: account.name }, onDone }
  const { terms } = account
  return (
    <Panel
      title={`Account ${account.name}`}
      actions={
        account.role === 'trader' && (
          <>
            <Action {...parts} command="account freeze" label="Freeze" isDangerous />
            <Action {...parts} command="account restrict" label="Restrict" />
            <Action {...parts} command="account unfreeze" label="Unfreeze" />
            <Action {...parts} command="account note" label="Note" />
            <Action {...parts} command="account set" label="Tier, limit" />
            <Action {...parts} command="account terms" label="Terms" />
            <Action {...parts} command="order cancel-all" label="Cancel all orders" isDangerous />
            <Action {...parts} command="account close" label="Close" isDangerous />
          </>
        )
      }
    >
      <Facts
        pairs={[
          ['State', <AccountState key="state" account={account} />],
          ...(restrictedBy === null
            ? []
            : ([['Restricted by', `${restrictedBy.actor}: ${restrictedBy.note || 'no note'}`]] as const)),
          ['Role', account.role],
          ['Opened', `${timeText(account.createdAt)} UTC`],
          ['Customer', account.customerId || '–'],
          ['Labels', account.labels.join(', ') || '–'],
          ['Fields', account.fields.join(', ') || '–'],
          ['Remark', account.remark || '–'],
          ['Fee tier', account.feeTier ?? '–'],
          ['Open orders at most', String(account.openOrdersMax ?? 'as of the symbol')],
          [
            'Terms of its own',
            terms === null
              ? 'none'
              : `maker ${terms.makerRate ?? '–'}, taker ${terms.takerRate ?? '–'}, until ${timeText(terms.ratesUntil)}${terms.ratesInForce ? '' : ' (over)'}`,
          ],
        ]}
      />
    </Panel>
  )
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
          <Action {...parts} command="withdrawal hold" label="Hold a withdrawal" />
        </>
      }
    >
      <Table
        label="Balances"
        rows={story.balances}
        keyOf={({ asset }) => asset}
        none="It has no money."
        columns={[
          { title: 'Asset', cell: ({ asset }) => asset },
          { title: 'Free', isFigure: true, cell: ({ free }) => decimalText(free) },
          { title: 'In orders', isFigure: true, cell: ({ locked }) => decimalText(locked) },
          { title: 'Frozen', isFigure: true, cell: ({ freeze }) => decimalText(freeze) },
          { title: 'Savings', isFigure: true, cell: ({ savings }) => decimalText(savings) },
        ]}
      />
      <h3>What happened to it</h3>
      <Table
        label="What happened to its money"
        rows={story.money}
        keyOf={({ number }) => number}
        none="Nothing yet."
        columns={[
          { title: 'Time, UTC', cell: ({ time }) => timeText(time) },
          { title: 'What', cell: ({ kind }) => kind },
          { title: 'Fields', cell: ({ fields }) => fieldsText(fields) },
          { title: 'Who', cell: ({ actor }) => actor || '–' },
          { title: 'Why', cell: ({ note }) => note || '–' },
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
          label="Make a key"
          fixed={{ account: account.name }}
          onDone={onDone}
        />
      }
    >
      <Table
        label="API keys"
        rows={keys}
        keyOf={({ apiKey }) => apiKey}
        none="It has no key."
        columns={[
          { title: 'Key', cell: ({ apiKey }) => <code>{apiKey}</code> },
          { title: 'State', cell: keyState },
          { title: 'May', cell: ({ permissions }) => permissions.join(', ') },
          { title: 'From', cell: ({ addresses }) => addresses.join(', ') || 'anywhere' },
          {
            title: 'Ends, UTC',
            cell: ({ expiresAt }) => (expiresAt === null ? 'never' : timeText(expiresAt)),
          },
          { title: 'Last used, UTC', cell: ({ lastUsedAt }) => timeText(lastUsedAt) },
          { title: 'Label', cell: ({ label }) => label || '–' },
          {
            title: 'Change',
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
  apiKey: { apiKey, revoked, enabled },
  onDone,
}: {
  readonly session: PageSession
  readonly apiKey: AdminKey
  readonly onDone: () => void
}) {
  if (revoked) return null
  const parts = { session, fixed: { apiKey }, onDone }
  return (
    <div class="actions">
      {enabled ? (
        <Action {...parts} command="key disable" label="Disable" />
      ) : (
        <Action {...parts} command="key enable" label="Enable" />
      )}
      <Action {...parts} command="key set" label="Set" />
      <Action {...parts} command="key rotate" label="Rotate" />
      <Action {...parts} command="key revoke" label="Revoke" isDangerous />
    </div>
  )
}

function Orders({ session, story: { openOrders, orders }, onDone }: Parts) {
  return (
    <Panel title={`Orders: ${openOrders} open`}>
      <Table<AdminOrder>
        label="Orders"
        rows={orders}
        keyOf={({ id }) => id}
        none="It has placed no order."
        columns={[
          { title: 'Placed, UTC', cell: ({ createdAt }) => timeText(createdAt) },
          { title: 'Symbol', cell: ({ symbol }) => symbol },
          { title: 'Side', cell: ({ side }) => side },
          { title: 'Type', cell: ({ type }) => type },
          { title: 'Price', isFigure: true, cell: ({ price }) => decimalText(price ?? '–') },
          { title: 'Quantity', isFigure: true, cell: ({ quantity }) => decimalText(quantity ?? '–') },
          {
            title: 'Executed',
            isFigure: true,
            cell: ({ executedQuantity }) => decimalText(executedQuantity),
          },
          { title: 'Status', cell: ({ status, endReason }) => [status, endReason].filter(Boolean).join(' ') },
          { title: 'Order', cell: ({ id }) => <code>{id}</code> },
          {
            title: 'Change',
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
