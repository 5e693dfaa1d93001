import * as events from 'aws-cdk-lib/aws-events';
import type { Trigger } from '../../../shared/http/worker.ts';
import { allowInvocation } from '../function.ts';
import { nameOf, pascalOf } from '../platform.ts';
import type { Connected, Connection } from '../stacks/delivery-stack.ts';
import { failureStatement, keepFailures } from './failure-queue.ts';

type ObjectsTrigger = Extract<Trigger, { kind: 'objects' }>;

/** What EventBridge tells of an object, in the shape of S3's own notification: workers know no other. */
const AS_S3_EVENT = {
  inputPathsMap: {
    bucket: '$.detail.bucket.name',
    key: '$.detail.object.key',
    size: '$.detail.object.size',
    eTag: '$.detail.object.etag',
    sequencer: '$.detail.object.sequencer',
    region: '$.region',
    time: '$.time',
  },
  inputTemplate: [
    '{"Records":[{"eventVersion":"2.1","eventSource":"aws:s3","eventName":"ObjectCreated:Put",',
    '"awsRegion":<region>,"eventTime":<time>,"s3":{"s3SchemaVersion":"1.0","bucket":{"name":<bucket>},',
    '"object":{"key":<key>,"size":<size>,"eTag":<eTag>,"sequencer":<sequencer>}}}]}',
  ].join(''),
};

/**
 * Objects under a prefix of the blob bucket, by EventBridge: a notification of the bucket itself would tie the stack of
 * the data to that of its workers. Keys are not URL-encoded here: give objects names that need no encoding.
 */
export function connectObjects(connection: Connection<ObjectsTrigger>): Connected {
  const { stack, platform, worker, trigger, failures } = connection;
  const id = pascalOf(worker.name);
  return {
    statements: [failureStatement(failures)],
    attach(invoked) {
      const rule = new events.CfnRule(stack, `${id}Rule`, {
        name: nameOf(platform, worker.name),
        description: worker.summary,
        eventPattern: {
          source: ['aws.s3'],
          'detail-type': ['Object Created'],
          detail: { bucket: { name: [platform.blobs.name] }, object: { key: [{ prefix: trigger.prefix }] } },
        },
        targets: [
          {
            id: 'function',
            arn: invoked.functionArn,
            inputTransformer: AS_S3_EVENT,
            retryPolicy: { maximumRetryAttempts: 185, maximumEventAgeInSeconds: 86_400 },
            deadLetterConfig: { arn: failures.queueArn },
          },
        ],
      });
      allowInvocation(stack, `${id}Permission`, {
        invoked,
        principal: 'events.amazonaws.com',
        sourceArn: rule.attrArn,
      });
      keepFailures(stack, id, invoked, failures);
    },
  };
}
