/**
 * The address at which `npm start` serves a sandbox. The published documents contain it; a node that serves
 * them replaces it with its own address (`src/app/node/page/own-address.ts`).
 */
export const SANDBOX_HOST = '127.0.0.1:8080'

export const SANDBOX = `http://${SANDBOX_HOST}`
