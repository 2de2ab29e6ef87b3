import { expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { findFreePort } from '../../../../infra/supervisor/free-port.ts'

// Drawn without a memory, nearly every such row has a port twice.
it('a free port is given once', async () => {
  const ports = []
  for (let number = 0; number < 300; number += 1) ports.push(await findFreePort(systemClock))
  expect(new Set(ports).size).toBe(ports.length)
})
