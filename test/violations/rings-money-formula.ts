// tool: rings; place: src/core/ledger/violation-formula.ts; says: money-formula
export const wrong = (price: number, quantity: number): number => price * quantity
