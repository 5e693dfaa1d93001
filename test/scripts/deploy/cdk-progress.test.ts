import { describe, expect, it } from 'vitest';
import { createCdkProgress } from '../../../scripts/deploy/cdk-progress.ts';

const event = (stack: string, done: string, status: string, resource: string, type = 'AWS::SQS::Queue') =>
  `${stack} | ${done} | 10:00:00 AM | ${status.padEnd(20)} | ${type.padEnd(30)} | ${resource} (Id1234) `;

function afterReading(...lines: string[]): string {
  const progress = createCdkProgress();
  for (const line of lines) progress.read(line);
  return progress.text();
}

describe('the progress of a deployment', () => {
  it('shows the build until the first stack begins, whatever the CDK prints', () => {
    expect(afterReading('', '✨  Synthesis time: 12s', 'data | x')).toBe(
      'the CDK builds the code and the templates',
    );
  });

  it('shows the stack, its place, its resources and what it waits for', () => {
    const lines = [
      'Data (n-dev-data): deploying... [1/5]',
      event('n-dev-data', '0/25', 'CREATE_IN_PROGRESS', 'n-dev-data', 'AWS::CloudFormation::Stack'),
      event('n-dev-data', '0/25', 'CREATE_IN_PROGRESS', 'data/Key', 'AWS::KMS::Key'),
      event('n-dev-data', '1/25', 'CREATE_COMPLETE', 'data/Queue'),
    ];
    expect(afterReading(...lines)).toBe(
      'n-dev-data (1 of 5): 1 of 25 resources, waiting for AWS::KMS::Key data/Key',
    );
    const other = event('n-dev-data', '1/25', 'CREATE_IN_PROGRESS', 'data/Pool');
    expect(afterReading(...lines, other)).toBe(
      'n-dev-data (1 of 5): 1 of 25 resources, waiting for AWS::KMS::Key data/Key and 1 more',
    );
    const ready = event('n-dev-data', '2/25', 'CREATE_COMPLETE', 'data/Key', 'AWS::KMS::Key');
    expect(afterReading(...lines, ready)).toBe('n-dev-data (1 of 5): 2 of 25 resources');
  });

  it('starts again with the next stack', () => {
    const first = event('n-dev-data', '24/25', 'CREATE_IN_PROGRESS', 'data/Queue');
    expect(
      afterReading('Data (n-dev-data): deploying... [1/5]', first, 'Api (n-dev-api): deploying... [2/5]'),
    ).toBe('n-dev-api (2 of 5)');
  });
});
