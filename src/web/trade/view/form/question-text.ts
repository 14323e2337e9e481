/** The page's questions before it sends, in words and figures. */
import { groupedText } from '../../../shared/grouped-text.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Question } from '../../state/sending/questions.ts'

export function questionText(question: Question): string {
  const { questions } = TEXTS
  switch (question.kind) {
    case 'PRICE_FAR': {
      const { side, measure, price, percent, measured, limit } = question
      const figures = [groupedText(price), groupedText(percent), groupedText(measured), limit] as const
      return questions.priceFar[side][measure](...figures)
    }
    case 'AVERAGE_FAR': {
      const { side, average, percent, best, limit } = question
      return questions.averageFar[side](groupedText(average), groupedText(percent), groupedText(best), limit)
    }
    case 'AVERAGE_UNKNOWN':
      return questions.averageUnknown
    case 'PRICE_ALONE':
      return questions.priceAlone(groupedText(question.price))
    case 'SHARE_LARGE': {
      const { percent, free, code, limit } = question
      return questions.shareLarge(groupedText(percent), `${groupedText(free)} ${code}`, limit)
    }
    case 'NOTHING_FREE':
      return questions.nothingFree(groupedText(question.given), question.code)
    case 'VALUE_LARGE': {
      const { value, code, limit } = question
      return questions.valueLarge(`${groupedText(value)} ${code}`, `${groupedText(limit)} ${code}`)
    }
    case 'VALUE_UNKNOWN':
      return questions.valueUnknown(`${groupedText(question.limit)} ${question.code}`)
    case 'LIMIT_UNREADABLE':
      return questions.limitUnreadable
    case 'BESIDE_ENTRY':
      return questions.besideEntry
    case 'OWN_ORDERS':
      return questions.ownOrders(`${question.count}`, groupedText(question.worst))
    case 'NOT_FILLABLE': {
      const { filled, wanted, code, worst } = question
      if (worst === undefined) return questions.nothingFillable
      return questions.notFillable(
        `${groupedText(filled)} ${code}`,
        `${groupedText(wanted)} ${code}`,
        groupedText(worst),
      )
    }
    case 'OTHER_MARKET':
      return questions.otherMarket(question.symbol)
  }
}
