/** Who may operate: tokens, roles with what is left of their limits, and how many approve. */
import type { AdminRoleInfo, AdminTokenInfo } from '../../../wire/admin-records.ts'
import type { PageSession } from '../state/page-session.ts'
import { decimalText, timeText } from '../state/words.ts'
import { Action } from './parts/action.tsx'
import { useAsked } from './parts/asked.ts'
import { LongTable } from './parts/long-table.tsx'
import { Facts, Panel, Shown, State } from './parts/parts.tsx'

type Parts<Row> = {
  readonly session: PageSession
  readonly rows: readonly Row[]
  readonly onDone: () => void
}

export function OperatorsView({ session }: { readonly session: PageSession }) {
  const tokens = useAsked(session, 'token/list', {})
  const roles = useAsked(session, 'role/list', {})
  const rules = useAsked(session, 'approval/show', {})
  return (
    <div class="stack">
      <Panel
        title="Tokens"
        actions={<Action session={session} command="token add" label="Make a token" onDone={tokens.again} />}
      >
        <Shown asked={tokens}>
          {(rows) => <Tokens session={session} rows={rows} onDone={tokens.again} />}
        </Shown>
      </Panel>
      <Panel
        title="Roles"
        actions={
          <>
            <Action session={session} command="role set" label="Make or change a role" onDone={roles.again} />
            <Action session={session} command="role limit" label="Limit a role" onDone={roles.again} />
          </>
        }
      >
        <Shown asked={roles}>{(rows) => <Roles session={session} rows={rows} onDone={roles.again} />}</Shown>
      </Panel>
      <Panel
        title="How many approve"
        actions={<Action session={session} command="approval needed" label="Change" onDone={rules.again} />}
      >
        <Shown asked={rules}>
          {({ needed, assets }) => (
            <Facts
              pairs={[
                ['Beside who asks', String(needed)],
                ...assets.map((own) => [`Of ${own.asset}`, String(own.needed)] as const),
              ]}
            />
          )}
        </Shown>
      </Panel>
    </div>
  )
}

function Tokens({ session, rows, onDone }: Parts<AdminTokenInfo>) {
  return (
    <LongTable
      label="Tokens"
      rows={rows}
      keyOf={({ name }) => name}
      none="There is no named token."
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Role', cell: ({ role }) => role },
        {
          title: 'State',
          cell: ({ revoked }) =>
            revoked ? <State word="revoked" kind="bad" /> : <State word="in use" kind="good" />,
        },
        { title: 'Made, UTC', cell: ({ createdAt }) => timeText(createdAt) },
        { title: 'Ends, UTC', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : timeText(expiresAt)) },
        { title: 'From', cell: ({ addresses }) => addresses.join(', ') || 'anywhere' },
        {
          title: 'Last used, UTC',
          cell: ({ lastUsedAt, lastUsedFrom }) => `${timeText(lastUsedAt)} ${lastUsedFrom ?? ''}`,
        },
        {
          title: 'Change',
          cell: ({ name, revoked }) =>
            !revoked && (
              <div class="actions">
                <Action session={session} command="token set" label="Set" fixed={{ name }} onDone={onDone} />
                <Action
                  session={session}
                  command="token revoke"
                  label="Revoke"
                  fixed={{ name }}
                  isDangerous
                  onDone={onDone}
                />
              </div>
            ),
        },
      ]}
    />
  )
}

function Roles({ session, rows, onDone }: Parts<AdminRoleInfo>) {
  return (
    <LongTable
      label="Roles"
      rows={rows}
      keyOf={({ name }) => name}
      none="There is no role."
      columns={[
        { title: 'Role', cell: ({ name }) => name },
        { title: 'Kind', cell: ({ builtIn }) => (builtIn ? 'every exchange has it' : 'your own') },
        { title: 'Limits', cell: limitsText },
        {
          title: 'Change',
          cell: ({ name, builtIn }) =>
            !builtIn && (
              <Action
                session={session}
                command="role remove"
                label="Remove"
                fixed={{ name }}
                isDangerous
                onDone={onDone}
              />
            ),
        },
        { title: 'Rights', cell: ({ rights }) => <span class="rights">{rights.join(', ')}</span> },
      ]}
    />
  )
}

function limitsText({ limits }: AdminRoleInfo): string {
  const texts = limits.map(({ asset, inEach, inDay, inLeft, outEach, outDay, outLeft }) => {
    const ways = [
      ['in', inEach, inDay, inLeft],
      ['out', outEach, outDay, outLeft],
    ] as const
    const words = ways.flatMap(([way, each, day, left]) => [
      ...(each === '0' ? [] : [`${way} each ${decimalText(each)}`]),
      ...(left === null ? [] : [`${way} a day ${decimalText(day)}, left ${decimalText(left)}`]),
    ])
    return `${asset}: ${words.join('; ')}`
  })
  return texts.join(' | ') || 'none'
}
