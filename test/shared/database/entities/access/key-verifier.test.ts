import { describe, expect, it } from 'vitest';
import { createKeyVerifier } from '../../../../../shared/database/entities/access/key-verifier.ts';
import { parseKeyText } from '../../../../../shared/tokens/api-key-text.ts';
import { createTestAccount, type TestApp } from '../../../../support/app.ts';
import { useApp } from '../../../../support/use-app.ts';

const app = useApp();

function counted() {
  let reads = 0;
  let nowMs = 0;
  const database: TestApp['database'] = {
    ...app.database,
    get: (...given) => {
      reads += 1;
      return app.database.get(...given);
    },
  };
  const verifier = createKeyVerifier(database, Math.random, () => nowMs);
  return { verifier, reads: () => reads, pass: (ms: number) => (nowMs += ms) };
}

describe('a key ID without a key', () => {
  it('takes one read in five seconds', async () => {
    const { verifier, reads, pass } = counted();
    const unknown = { accountId: 'a', keyId: 'k' };
    for (let index = 0; index < 5; index += 1) {
      expect(await verifier.findValid(unknown, 'nds_x')).toBeUndefined();
    }
    expect(reads()).toBe(1);
    pass(5001);
    await verifier.findValid(unknown, 'nds_x');
    expect(reads()).toBe(2);
  });

  it('never delays a key that is created afterwards', async () => {
    const { verifier } = counted();
    await verifier.findValid({ accountId: 'a', keyId: 'k' }, 'nds_x');
    const { secret } = await createTestAccount(app);
    const parts = parseKeyText(secret.key);
    expect(parts && (await verifier.findValid(parts, secret.key))?.keyId).toBe(secret.id);
  });
});
