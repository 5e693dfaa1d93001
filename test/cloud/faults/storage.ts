import type { Fault } from './planting.ts';

/** Faults of where data is stored, and for how long. */
export const STORAGE_FAULTS: readonly Fault[] = [
  {
    name: 'items do not expire',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::DynamoDB::Table') delete Properties.TimeToLiveSpecification;
    },
    says: /its items do not expire/,
  },
  {
    name: 'the rules of the bucket name another folder',
    plant: ({ Type, Properties }) => {
      if (Type !== 'AWS::S3::Bucket') return;
      for (const rule of Properties.LifecycleConfiguration.Rules)
        rule.Prefix = String(rule.Prefix ?? '').replace('requests/', 'request/');
    },
    says: /requests\/.* does not expire/,
  },
  {
    name: 'received email is stored in another folder',
    plant: ({ Type, Properties }) => {
      if (Type === 'AWS::SES::ReceiptRule')
        for (const { S3Action } of Properties.Rule.Actions) S3Action.ObjectKeyPrefix = 'mail/';
    },
    says: /SES may not store received email/,
  },
];
