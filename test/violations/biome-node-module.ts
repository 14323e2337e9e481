// tool: biome; place: src/engine/violation-node.ts; says: noNodejsModules
import { readFileSync } from 'node:fs'

export const wrong = readFileSync('/etc/hostname')
