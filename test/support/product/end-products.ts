// Vitest reporter: ends the shared products after the last file that may use one. Three of them at
// rest take a quarter of a processor from what runs then.
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { readProducts, SHARING } from './started-products.ts'

export default class EndProducts implements Reporter {
  #isWatching = false
  #left = 0

  onInit(vitest: Vitest): void {
    this.#isWatching = vitest.config.watch
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#left = specifications.filter(({ project }) => SHARING.includes(project.name)).length
  }

  onTestModuleEnd({ project }: TestModule): void {
    if (!SHARING.includes(project.name)) return
    this.#left -= 1
    if (this.#left > 0 || this.#isWatching) return
    for (const { supervisorPid } of readProducts() ?? []) {
      try {
        process.kill(supervisorPid, 'SIGTERM')
      } catch {
        // It has ended already.
      }
    }
  }
}
