/** The star beside the market's button: marks the displayed market as a favorite. */

import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import type { Favorites } from '../state/favorites.ts'
import { byId, setData, setText } from './dom.ts'

export class FavoriteButton {
  readonly #button = byId('favorite', HTMLButtonElement)
  readonly #favorites: Favorites
  #name = ''

  constructor(favorites: Favorites) {
    this.#favorites = favorites
    this.#button.addEventListener('click', () => favorites.toggle(this.#name))
    onLanguage(() => this.write())
  }

  choose(name: string): void {
    this.#name = name
    this.#button.hidden = false
    this.write()
  }

  write(): void {
    const isFavorite = this.#favorites.has(this.#name)
    setText(this.#button, isFavorite ? '★' : '☆')
    setData(this.#button, 'favorite', isFavorite ? '' : undefined)
    const { markets: words } = TEXTS
    this.#button.ariaLabel = isFavorite ? words.removeFavorite(this.#name) : words.addFavorite(this.#name)
    this.#button.title = this.#button.ariaLabel
  }
}
