// tool: rings; place: src/units/violation-todo.test.ts; says: not-run
import { test } from 'bun:test'

test.todo('is never written')
