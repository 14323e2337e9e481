// tool: compiler; place: src/core/market/violation-brand.ts; says: TS2345
import { lots, type Price, price } from '../../units/quantities.ts'
const wanted = (value: Price): Price => value
export const wrong = [wanted(price(1)), wanted(lots(1))]
