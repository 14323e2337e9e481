/** Addresses banned from the public server. */

import { timeText } from '../state/notation.ts'
import type { PageSession } from '../state/page-session.ts'
import { say } from '../texts/texts.ts'
import { Action } from './parts/action.tsx'
import { useAsked } from './parts/asked.ts'
import { LongTable } from './parts/long-table.tsx'
import { Panel, Shown } from './parts/parts.tsx'

export function BansView({ session }: { readonly session: PageSession }) {
  const bans = useAsked(session, 'ban/list', { limit: 1_000 })
  return (
    <Panel
      title="Banned addresses"
      actions={
        <Action session={session} command="ban add" label="Ban address" isDangerous onDone={bans.again} />
      }
    >
      <Shown asked={bans}>
        {(rows) => (
          <LongTable
            label="Banned addresses"
            rows={rows}
            keyOf={({ address, by }) => `${address} ${by}`}
            none="No address is banned."
            columns={[
              { title: 'Address', cell: ({ address }) => <code>{address}</code> },
              { title: 'Until, UTC', cell: ({ until }) => timeText(until) },
              {
                title: 'By',
                cell: ({ by }) => (by === 'OPERATOR' ? say('an operator') : say('the node’s limits')),
              },
              {
                title: 'Action',
                isFirst: true,
                cell: ({ address }) => (
                  <Action
                    session={session}
                    command="ban lift"
                    label="Lift ban"
                    fixed={{ address }}
                    onDone={bans.again}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
