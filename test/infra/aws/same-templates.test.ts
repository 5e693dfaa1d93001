import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../functions/routes.ts';
import { WORKERS } from '../../../functions/workers.ts';
import { PRODUCTION, synthesize } from './synthesized.ts';

/** Context of the CDK's command line, and of app.ts. */
const COMMAND_LINE = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:disable-asset-staging': true };

describe('templates', () => {
  it('do not depend on the folders of the output and the code', () => {
    const few = {
      routes: ROUTES.slice(0, 3),
      workers: WORKERS.filter(({ grants }) => !grants.sendsTo).slice(0, 3),
    };
    const context = { ...PRODUCTION, reservedConcurrency: {}, queueConcurrency: {} };
    const { texts } = synthesize({ ...few, context });
    expect(
      [...texts.values()].filter((text) => text.includes('AWS::Lambda::Function')).length,
    ).toBeGreaterThan(1);
    expect(synthesize({ ...few, context: { ...context, ...COMMAND_LINE } }).texts).toEqual(texts);
  });
});
