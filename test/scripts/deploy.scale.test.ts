import { describe, expect, it } from 'vitest';
import { ADMIN, account, afterPlace, aws, deployedFunctions, LOG, useFakeAws } from './deploy-setup.ts';

useFakeAws();

describe('npm run deploy', () => {
  it('deploys all stacks, creates the account, shows its keys once and follows a test notification', async () => {
    const asked = deployedFunctions({
      logs: [{ trackingId: 't-1', accountId: 'a-1', email_routing: 'SEND' }, LOG],
    });
    const { code, output, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect(code, errors).toBe(0);
    expect(output).toContain('https://api.test');
    expect(output.match(/nds_sk_1/g)).toHaveLength(1);
    expect(errors).toMatch(/email_sent_at +2026-11-21T08:30:00.000Z/);
    expect(errors).toContain('TlsPolicy REQUIRE');
    const [call] = aws.cdkCalls();
    expect(call?.slice(0, 4)).toEqual(['deploy', '--all', '--require-approval', 'never']);
    const first = asked.find(({ event }) => event.action === 'first');
    expect(first?.event).toEqual({ action: 'first', name: 'My account', email: 'you@example.com' });
    expect(asked.find(({ id }) => id === 'send')?.event).toMatchObject({
      headers: { authorization: 'Bearer nds_sk_1' },
      body: { to: { id: 'm-1', email: 'you@example.com' } },
    });
    expect(asked.filter(({ id }) => id === 'get-logs')).toHaveLength(2);
  });

  it('first shows which account, region and stage it will change', async () => {
    deployedFunctions();
    const { errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect(errors).toMatch(
      /^Account 111122223333, eu-central-1: stage dev of notifications\.\nState: new\.\n/,
    );
  });

  it.each([
    [
      'ROLLBACK_COMPLETE',
      'aws cloudformation delete-stack --stack-name notifications-dev-delivery --region eu-central-1\n',
    ],
    ['UPDATE_FAILED', 'aws cloudformation rollback-stack --stack-name notifications-dev-delivery --region'],
    ['UPDATE_ROLLBACK_FAILED', 'aws cloudformation continue-update-rollback'],
    [
      'REVIEW_IN_PROGRESS',
      'Unless another deployment is running, delete it: aws cloudformation delete-stack',
    ],
    ['DELETE_FAILED', 'Run npm run destroy again'],
    ['UPDATE_IN_PROGRESS', 'is being changed by another deployment'],
  ])('changes nothing while a stack is in %s, and shows how to recover', async (status, advice) => {
    deployedFunctions();
    aws.stacks.set('notifications-dev-delivery', { status });
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect([code, aws.cdkCalls()]).toEqual([1, []]);
    expect(errors).toContain(advice);
  });

  it('shows how to delete a protected stack whose creation failed', async () => {
    deployedFunctions();
    aws.stacks.set('notifications-dev-data', { status: 'ROLLBACK_COMPLETE', isProtected: true });
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect([code, aws.cdkCalls()]).toEqual([1, []]);
    const name = '--stack-name notifications-dev-data --region eu-central-1';
    expect(errors).toContain(
      `aws cloudformation update-termination-protection --no-enable-termination-protection ${name} && aws cloudformation delete-stack ${name}\n`,
    );
  });

  it('shows what a failed creation of a protected stage leaves behind, with the commands', async () => {
    deployedFunctions();
    aws.stacks.set('notifications-prod-data', {
      status: 'ROLLBACK_FAILED',
      isProtected: true,
      resources: [
        { type: 'AWS::DynamoDB::Table', id: 'table-1', status: 'DELETE_FAILED' },
        { type: 'AWS::Cognito::UserPool', id: 'pool-1', status: 'DELETE_FAILED' },
        { type: 'AWS::KMS::Key', id: 'key-1', status: 'DELETE_SKIPPED' },
        { type: 'AWS::S3::Bucket', id: 'bucket-1', status: 'DELETE_COMPLETE' },
      ],
    });
    const { code, errors } = await aws.run('deploy.ts', ['--stage', 'prod', '--email', 'you@example.com']);
    expect([code, aws.cdkCalls()]).toEqual([1, []]);
    for (const command of [
      'aws dynamodb update-table --table-name table-1 --no-deletion-protection-enabled --region eu-central-1 && aws dynamodb delete-table --table-name table-1',
      'aws cognito-idp update-user-pool --user-pool-id pool-1 --deletion-protection INACTIVE',
      'aws kms schedule-key-deletion --key-id key-1 --pending-window-in-days 7 --region eu-central-1',
    ])
      expect(errors).toContain(command);
    expect(errors).not.toContain('bucket-1');
  });

  it.each([
    ['waits while SQS keeps the names of deleted queues, and says why', 20_000, 1],
    ['need not wait longer than a minute', 61_000, 0],
  ])('%s', async (_, agoMs, expected) => {
    deployedFunctions();
    aws.deleted.set('notifications-dev-delivery', agoMs);
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect([code, errors.includes('SQS keeps the names of deleted queues')]).toEqual([
      expected,
      expected === 1,
    ]);
  });

  it.each([
    ['no rule set is active', undefined, 'its rule set is not active'],
    ['another is active', 'shop', 'the rule set shop is active'],
    ['its own is active', 'notifications-dev-inbound', undefined],
  ])('reports about receiving that %s', async (_, active, expected) => {
    deployedFunctions();
    aws.activeRuleSet = active;
    aws.identities.set('example.com', true);
    const receiving = ['--sesReceiving', 'true', '--mailDomain', 'mail.example.com'];
    const { errors } = await aws.run('deploy.ts', ['--dry-run', ...receiving]);
    if (expected === undefined) expect(errors).not.toContain('set-active-receipt-rule-set');
    else {
      expect(errors).toContain(expected);
      expect(errors).toContain('--rule-set-name notifications-dev-inbound --region eu-central-1');
    }
  });

  it('deactivates its rule set when receiving is turned off, because SES would refuse to delete it', async () => {
    deployedFunctions({ knows: true });
    aws.stacks.set('notifications-dev-delivery', {
      resources: [{ type: 'AWS::SES::ReceiptRuleSet', id: 'notifications-dev-inbound' }],
    });
    aws.activeRuleSet = 'notifications-dev-inbound';
    const { code, errors } = await aws.run('deploy.ts', []);
    expect([code, aws.activeRuleSet], errors).toEqual([0, undefined]);
    expect(errors).toContain('receives no email');
  });

  it.each([
    ['is missing', [], 'aws sesv2 create-email-identity --email-identity mail.example.com'],
    ['is not verified', [['mail.example.com', false]], 'The identity mail.example.com is not verified'],
    ['is the verified domain above it', [['example.com', true]], undefined],
  ] as const)('reports that the identity of the mail domain %s', async (_, identities, expected) => {
    deployedFunctions();
    for (const [name, verified] of identities) aws.identities.set(name, verified);
    const { errors } = await aws.run('deploy.ts', ['--dry-run', '--mailDomain', 'mail.example.com']);
    if (expected === undefined) expect(errors).not.toMatch(/identity/);
    else expect(errors).toContain(expected);
  });

  it('stops a protected stage in an account that runs ten functions at a time, unless told otherwise', async () => {
    deployedFunctions();
    aws.settings = { AccountLimit: { ConcurrentExecutions: 10 } };
    const options = ['--stage', 'prod', '--email', 'you@example.com', '--alarmAddress', 'a@example.com'];
    const { code, errors } = await aws.run('deploy.ts', options);
    expect([code, aws.cdkCalls()]).toEqual([1, []]);
    expect(errors).toContain('aws service-quotas request-service-quota-increase --service-code lambda');
    expect(errors).toContain('--anyway');
    await aws.run('deploy.ts', [...options, '--anyway']);
    expect(aws.cdkCalls()).toHaveLength(1);
  });

  it.each([
    ['prod', true],
    ['dev', false],
  ])(
    'advises to create no types by sends once the account of a production stage exists: %s',
    async (stage, isAdvised) => {
      deployedFunctions({ stage });
      const options = ['--stage', stage, '--email', 'you@example.com', '--alarmAddress', 'a@example.com'];
      const { errors } = await aws.run('deploy.ts', options);
      expect(errors.includes('PATCH /environments/e-1 {"createTypes": false}')).toBe(isAdvised);
    },
  );

  it('changes nothing when the table to use does not exist', async () => {
    deployedFunctions();
    const { code, errors } = await aws.run('deploy.ts', ['--tableName', 'restored', '--paused', 'true']);
    expect([code, aws.cdkCalls()]).toEqual([1, []]);
    expect(errors).toMatch(/^Account .*\nTable restored does not exist in eu-central-1\.\n$/);
  });

  it('changes nothing when reserved concurrency exceeds the quota', async () => {
    deployedFunctions();
    const reserved = ['--reservedConcurrency', '{"send":950}'];
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com', ...reserved]);
    expect([code, aws.cdkCalls()]).toEqual([1, []]);
    expect(errors).toContain('needs 950 concurrent executions, but the account has 1000');
  });

  it('reports the quotas of a new account and alarms without an address', async () => {
    deployedFunctions();
    aws.settings = {
      AccountLimit: { ConcurrentExecutions: 10 },
      ProductionAccessEnabled: false,
      SendQuota: { MaxSendRate: 1 },
    };
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com', '--alarms', 'on']);
    expect(code, errors).toBe(0);
    for (const note of [
      'Lambda runs 10 functions',
      'SES is in its sandbox',
      'SES accepts 1 per second',
      'Alarms notify nobody',
    ])
      expect(errors).toContain(note);
  });

  it('continues when a state cannot be read', async () => {
    deployedFunctions();
    aws.areReadsBroken = true;
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect(code, errors).toBe(0);
    for (const what of [
      "Lambda's quotas",
      'The state of SES',
      'AWS End User Messaging',
      'Cognito user pools',
    ])
      expect(errors).toContain(`${what} could not be read: the service does not respond as expected.`);
  });

  it('shows with --dry-run what it would do, and does nothing', async () => {
    const asked = deployedFunctions();
    const { code, output } = await aws.run('deploy.ts', ['--dry-run']);
    expect([code, asked]).toEqual([0, []]);
    expect(aws.cdkCalls().map(([command]) => command)).toEqual(['synth']);
    expect(output).toContain('everything is created');
    expect(output).toContain('While idle, per month');
    expect(output).toMatch(/The first deployment takes about \d+ minutes/);
  });

  it('shows with --dry-run what a deployment would stop at', async () => {
    aws.stacks.clear();
    const { code, errors } = await aws.run('deploy.ts', ['--dry-run']);
    expect([code, aws.cdkCalls().map(([command]) => command)]).toEqual([0, ['synth']]);
    expect(errors).toMatch(/^Note: Account 111122223333 in eu-central-1 is not prepared for the CDK yet/m);
  });

  it('lists the changes of an existing stage, without the tables of the CDK', async () => {
    deployedFunctions();
    aws.stacks.set('notifications-dev-data', {});
    const changed = [
      ...['Stack Data (notifications-dev-data)', 'IAM Statement Changes', '│ + │ s3:GetObject │'],
      ...[
        '[~] AWS::Lambda::Function Send SendB0E9',
        ' └─ [~] Code',
        'Stack Api',
        'There were no differences',
      ],
    ];
    const { code, output } = await aws.run('deploy.ts', ['--dry-run'], {
      FAKE_CDK_PRINTS: changed.join('\n'),
    });
    expect(code).toBe(0);
    expect(output).toContain(
      'Changes\n  Stack Data (notifications-dev-data)\n  [~] AWS::Lambda::Function Send SendB0E9\n   └─ [~] Code\n  (npx cdk diff',
    );
  });

  it('updates when it runs again, without another account, keys or test notification', async () => {
    const asked = deployedFunctions({ knows: true });
    const { code, output } = await aws.run('deploy.ts', []);
    expect(code).toBe(0);
    expect(output).toContain('The service is available at https://api.test\n');
    expect(output).toMatch(/The first account already exists: a-1\.\n$/);
    expect(asked.map(({ event }) => event)).toEqual([{ action: 'list' }, { action: 'first' }]);
  });

  it('prints one JSON object with --json, whatever the CDK prints', async () => {
    deployedFunctions();
    const { code, output } = await aws.run('deploy.ts', ['--json', '--email', 'you@example.com']);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual({
      baseUrl: 'https://api.test',
      webSocketUrl: 'wss://ws.test',
      userPoolId: 'pool-1',
      userPoolClientId: 'client-1',
      account: account(true),
    });
  });

  it('shows the keys even when the test notification fails', async () => {
    deployedFunctions();
    aws.functions.set('notifications-dev-send', () => {
      throw new Error('no table');
    });
    const { code, output, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect([code, output.includes('nds_sk_1')]).toEqual([1, true]);
    expect(errors).toMatch(/\nThe function notifications-dev-send failed: no table\n$/);
  });

  it('shows what to do when the sender is not verified', async () => {
    const failed = { email_failed_at: '2026-11-21T08:30:00.000Z', email_failed_code: 'UNVERIFIED_SENDER' };
    deployedFunctions({ logs: [{ trackingId: 't-1', accountId: 'a-1', email_routing: 'SEND', ...failed }] });
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect([code, errors.includes('No sender is verified yet')]).toEqual([0, true]);
  });

  it('sends the test from its own address where the sandbox accepts any', async () => {
    const asked = deployedFunctions();
    const settings = '{"EMAIL_PROVIDER":"sandbox"}';
    await aws.run('deploy.ts', ['--email', 'you@example.com', '--settings', settings]);
    expect(asked.find(({ id }) => id === 'send')?.event.body).toMatchObject({
      options: { email: { fromAddress: 'you@example.com' } },
    });
  });

  it('passes stage and parameters to the CDK and to the names of the functions', async () => {
    aws.functions.set('notifications-staging-administer-accounts', () => account(false));
    const args = ['--stage', 'staging', '--logRetentionDays', '90', '--email', 'you@example.com'];
    const { code, errors } = await aws.run('deploy.ts', args);
    expect(code, errors).toBe(0);
    const [call = []] = aws.cdkCalls();
    expect(call.slice(call.indexOf('-c'))).toEqual(['-c', 'stage=staging', '-c', 'logRetentionDays=90']);
  });

  it('changes nothing until the email of the first administrator is known', async () => {
    for (const isDeployed of [false, true]) {
      if (isDeployed) aws.functions.set(ADMIN, () => ({ accounts: [] }));
      const { code, errors } = await aws.run('deploy.ts', []);
      expect([code, afterPlace(errors)]).toEqual([
        2,
        "Pass --email with the first administrator's address: npm run deploy -- --email you@example.com.\n",
      ]);
    }
    expect(aws.cdkCalls()).toEqual([]);
  });

  it('shows how to prepare an account for the CDK, and does it on request', async () => {
    deployedFunctions();
    aws.stacks.clear();
    const refused = await aws.run('deploy.ts', ['--email', 'you@example.com']);
    expect([refused.code, aws.cdkCalls()]).toEqual([1, []]);
    expect(afterPlace(refused.errors)).toBe(
      'Account 111122223333 in eu-central-1 is not prepared for the CDK yet: deploy with --bootstrap, or run npx cdk bootstrap aws://111122223333/eu-central-1. If its stack is not named CDKToolkit, set toolkitStackName in cdk.json.\n',
    );
    const { code } = await aws.run('deploy.ts', ['--email', 'you@example.com', '--bootstrap']);
    expect(code).toBe(0);
    expect(aws.cdkCalls()[0]).toEqual(['bootstrap', 'aws://111122223333/eu-central-1', '--app', '']);
  });

  it("finds the CDK's stack under the name that the CDK's command line uses", async () => {
    deployedFunctions();
    aws.stacks.clear();
    aws.stacks.set('Platform', { outputs: { BootstrapVersion: '31' } });
    const { code } = await aws.run('deploy.ts', ['--email', 'you@example.com'], {
      CDK_TOOLKIT_STACK_NAME: 'Platform',
    });
    expect(code).toBe(0);
  });

  it('ends in one line when the CDK fails, and creates no account', async () => {
    const asked = deployedFunctions();
    const { code, errors } = await aws.run('deploy.ts', ['--email', 'you@example.com'], {
      FAKE_CDK_FAILS: '1',
    });
    expect([code, errors.trim().split('\n').at(-1)]).toEqual([1, 'cdk deploy failed: see above.']);
    expect(asked.filter(({ event }) => event.action === 'first')).toEqual([]);
  });

  const CDK_LINES = `notifications-dev-data: deploying... [1/5]
notifications-dev-data | 3/25 | 10:00:00 AM | CREATE_IN_PROGRESS   | AWS::KMS::Key | data/Key (Key1)`;

  it('shows the stack, its resources and what it waits for, and the output of the CDK only when it fails', async () => {
    deployedFunctions();
    const settings = { FAKE_CDK_PRINTS: CDK_LINES };
    const done = await aws.run('deploy.ts', ['--email', 'you@example.com'], settings);
    expect([done.code, done.errors.includes('CREATE_IN_PROGRESS')]).toEqual([0, false]);
    const failed = await aws.run('deploy.ts', ['--email', 'you@example.com'], {
      ...settings,
      FAKE_CDK_FAILS: '1',
    });
    expect(failed.errors).toContain(CDK_LINES);
  });

  it('shows on Ctrl-C what is done and how to resume, and stops the CDK', async () => {
    deployedFunctions();
    const settings = { FAKE_CDK_PRINTS: CDK_LINES, FAKE_CDK_HANGS: '1' };
    const args = ['--email', 'you@example.com'];
    const { code, errors } = await aws.interrupt('deploy.ts', args, 'waiting for AWS::KMS::Key', settings);
    expect(code).toBe(130);
    expect(errors).toMatch(
      /Stopped\. Done so far: notifications-dev-data \(1 of 5\): 3 of 25 resources, waiting for AWS::KMS::Key data\/Key, \d+ s\. CloudFormation completes the current stack\. Run the same command again/,
    );
  });

  it('shows no progress with --json', async () => {
    deployedFunctions();
    const { errors } = await aws.run('deploy.ts', ['--email', 'you@example.com', '--json'], {
      FAKE_CDK_PRINTS: CDK_LINES,
    });
    expect(errors).not.toContain('resources');
  });

  it.each([
    [['--logRetentionDays', '2'], 'logRetentionDays: one of'],
    [['--sesReceiving', 'true'], 'sesReceiving: needs mailDomain'],
    [['--settings', '{"EMAIL_PROVIDER": "pigeon"}'], 'EMAIL_PROVIDER must be one of ses, smtp, sandbox'],
    [['--tableName', 'a b'], 'tableName: '],
    [['--tableName', 'restored', '--tableStreamArn', 'none'], 'tableStreamArn: '],
    [['--region', 'eu-central-1a'], '--region must be the name of a region'],
    [['--bogus'], "Unknown option '--bogus'"],
    [['now'], "Unexpected argument 'now'"],
    [['--email', 'nobody'], '--email is not an email address'],
    [['--email', 'a@b.example', '--account-name', ' '], '1 to 128'],
  ])('rejects %j before any call to AWS', async (args, problem) => {
    aws.refusal = 'ExpiredToken';
    const { code, errors } = await aws.run('deploy.ts', args);
    expect([code, errors.includes(problem)]).toEqual([2, true]);
  });
});
