import { describe, expect, it } from 'vitest';
import { PRODUCTION, productionTemplates, synthesize } from './synthesized.ts';

/** Context of the CDK's command line, and of app.ts. */
const COMMAND_LINE = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:disable-asset-staging': true };

describe('templates', () => {
  it('do not depend on the folders of the output and the code', async () => {
    const { texts } = await productionTemplates();
    const again = synthesize({ context: { ...PRODUCTION, ...COMMAND_LINE }, isReviewed: false });
    expect(again.texts).toEqual(texts);
  });
});
