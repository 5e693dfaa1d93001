import { describe, expect, it } from 'vitest';
import { aws, useFakeAws } from './deploy-setup.ts';

useFakeAws();

describe('every AWS command', () => {
  const commands: [string, string[]][] = [
    ['deploy.ts', ['--email', 'you@example.com']],
    ['destroy.ts', ['--yes']],
    ['account.ts', ['list']],
    ['invoke.ts', ['getStatus']],
  ];

  it.each(commands)('%s reports missing credentials in one line', async (script, args) => {
    const none = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
    const { code, output, errors } = await aws.run(script, args, none);
    expect([code, output]).toEqual([3, '']);
    expect(errors).toMatch(/^There are no AWS credentials: .*\n$/);
  });

  it('reports rejected credentials in one line', async () => {
    aws.refusal = 'ExpiredToken';
    const { code, errors } = await aws.run('account.ts', ['list']);
    expect([code, errors]).toEqual([
      3,
      'AWS rejects the credentials (ExpiredToken): sign in again, or select another profile with --profile.\n',
    ]);
  });

  it('asks for a region without one', async () => {
    const { code, errors } = await aws.run('destroy.ts', ['--yes'], { AWS_REGION: '' });
    expect([code, errors]).toEqual([2, 'Specify the region: --region eu-central-1, or set AWS_REGION.\n']);
  });

  it('reports in one line that AWS is unreachable', async () => {
    const { code, errors } = await aws.run('destroy.ts', ['--yes'], {
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    });
    expect([code, errors]).toEqual([1, 'AWS cannot be reached (ECONNREFUSED).\n']);
  });

  it('reports in one line that a region does not exist', async () => {
    const nowhere = { AWS_ENDPOINT_URL: 'http://sts.eu-central-9.invalid' };
    const { code, errors } = await aws.run('destroy.ts', ['--yes', '--region', 'eu-central-9'], nowhere);
    expect(code).toBe(1);
    expect(errors).toMatch(/^AWS cannot be reached in eu-central-9 \(\w+\): check --region and [^\n]+\n$/);
  });

  it.each(commands)('%s prints its help without AWS', async (script) => {
    const { code, output } = await aws.run(script, ['--help'], { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
    expect([code, output.includes('--stage'), output.includes('Exit codes')]).toEqual([0, true, true]);
  });

  const scripts = [...commands.map(([script]) => script), 'pause.ts', 'restore.ts', 'redrive.ts'];

  it.each(scripts)(
    '%s ends its process with the exit code, and an error on standard error',
    async (script) => {
      const { code, output, errors } = await aws.spawn(script, ['--bogus']);
      expect([code, output, errors]).toEqual([
        2,
        '',
        "Unknown option '--bogus'. --help lists the options.\n",
      ]);
    },
  );
});
