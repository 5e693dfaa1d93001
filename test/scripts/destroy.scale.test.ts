import { describe, expect, it } from 'vitest';
import { useStarted } from '../support/use-started.ts';
import { type FakeStack, startFakeAws } from './fake-aws.ts';

const aws = useStarted(startFakeAws, 'test');

const ORDER = ['observability', 'api', 'delivery', 'gateway', 'data'];

function deployed(stage: string, each: (part: string) => FakeStack = () => ({})): string[] {
  const names = ORDER.map((part) => `notifications-${stage}-${part}`);
  ORDER.forEach((part, index) => {
    aws.stacks.set(names[index] ?? '', each(part));
  });
  return names;
}

describe('npm run destroy', () => {
  it('removes every stack before those it depends on, empties the bucket first, and leaves other stages', async () => {
    const names = deployed('dev');
    deployed('staging');
    aws.objects.push('a', 'b');
    const { code, output, errors } = await aws.run('destroy.ts', ['--yes']);
    expect([code, output], errors).toEqual([0, 'Removed.\n']);
    expect(aws.removed).toEqual([...names.slice(0, 4), 'bucket with 2', names[4]]);
    expect([...aws.stacks.keys()].filter((name) => name.includes('staging'))).toHaveLength(5);
    for (const name of names) expect(errors).toContain(name);
  });

  it.each([
    ['deactivates its own rule set before the stack that has it', 'notifications-dev-inbound', 1],
    ['leaves the rule set of another application active', 'shop-inbound', 0],
  ])('%s', async (_, active, deactivated) => {
    const names = deployed('dev', (part) =>
      part === 'delivery'
        ? { resources: [{ type: 'AWS::SES::ReceiptRuleSet', id: 'notifications-dev-inbound' }] }
        : {},
    );
    aws.activeRuleSet = active;
    const { code, errors } = await aws.run('destroy.ts', ['--yes']);
    expect(code, errors).toBe(0);
    const expected = [
      ...names.slice(0, 2),
      ...Array(deactivated).fill(`active rule set ${active}`),
      names[2],
    ];
    expect(aws.removed.slice(0, expected.length)).toEqual(expected);
    expect(aws.activeRuleSet).toBe(deactivated ? undefined : active);
  });

  it('keeps protected stacks, and shows how to remove them', async () => {
    const names = deployed('production', (part) => ({ isProtected: ['gateway', 'data'].includes(part) }));
    aws.objects.push('a');
    const { code, output } = await aws.run('destroy.ts', ['--stage', 'production', '--yes']);
    expect([code, aws.removed]).toEqual([0, names.slice(0, 3)]);
    expect(output).toMatch(
      /Still there:\n +notifications-production-gateway.*\n +notifications-production-data +table/,
    );
    expect(output).toContain('npm run deploy -- --stage production --protection off');
  });

  it('removes nothing without confirmation', async () => {
    deployed('dev');
    const { code, errors } = await aws.run('destroy.ts', []);
    expect([code, aws.removed]).toEqual([2, []]);
    expect(errors).toContain('Pass --yes');
  });

  it('resumes where it stopped, and ends when nothing is left', async () => {
    const names = deployed('dev');
    for (const name of names.slice(0, 3)) aws.stacks.delete(name);
    expect((await aws.run('destroy.ts', ['--yes'])).code).toBe(0);
    expect(aws.removed).toEqual(names.slice(3));
    const again = await aws.run('destroy.ts', ['--yes']);
    expect([again.code, again.output]).toEqual([0, 'Nothing of stage dev is deployed here.\n']);
  });

  it('stops with the reason when a stack cannot be removed', async () => {
    const names = deployed('dev', (part) =>
      part === 'delivery' ? { refusesDeletion: 'the rule set is active' } : {},
    );
    const { code, errors } = await aws.run('destroy.ts', ['--yes']);
    expect([code, aws.removed]).toEqual([1, names.slice(0, 2)]);
    expect(errors).toContain('notifications-dev-delivery was not removed: the rule set is active');
  });

  it('shows on Ctrl-C what is done and how to resume', async () => {
    const names = deployed('dev', (part) => (part === 'delivery' ? { status: 'DELETE_IN_PROGRESS' } : {}));
    const { code, errors } = await aws.interrupt('destroy.ts', ['--yes'], `removing ${names[2]}`);
    expect(code).toBe(130);
    expect(errors).toMatch(
      /Stopped\. Done so far: 2 of 5 stacks removed, removing notifications-dev-delivery, \d+ s\. CloudFormation completes the current stack\. Run the same command again/,
    );
  });

  it('prints its result as JSON with --json', async () => {
    const names = deployed('live', (part) => ({ isProtected: part === 'data' }));
    const { output, errors } = await aws.run('destroy.ts', ['--stage', 'live', '--yes', '--json']);
    expect(errors).not.toContain('stacks removed');
    expect(JSON.parse(output)).toEqual({ removed: names.slice(0, 4), kept: [names[4]] });
  });
});
