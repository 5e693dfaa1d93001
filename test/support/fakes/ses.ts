import { randomUUID } from 'node:crypto';
import { type FakeReply, type FakeRequest, startHttpFake } from './http-fake.ts';
import type { Outage } from './outage.ts';

type Part = { Data: string; Charset?: string };

/** A message as SendEmail takes it; attachments' content is base64. */
type SesMessage = {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[]; CcAddresses?: string[]; BccAddresses?: string[] };
  ReplyToAddresses?: string[];
  ConfigurationSetName?: string;
  EmailTags?: { Name: string; Value: string }[];
  Content?: {
    Simple?: {
      Subject?: Part;
      Body?: { Html?: Part; Text?: Part };
      Headers?: { Name: string; Value: string }[];
      Attachments?: {
        FileName: string;
        RawContent: string;
        ContentType?: string;
        ContentDisposition?: string;
        ContentTransferEncoding?: string;
        ContentId?: string;
      }[];
    };
    Raw?: { Data: string };
  };
};

/** An exception of the service; without `status` as SES pairs it with the name. */
export type SesException = { name: string; message: string; status?: number };

/** A fake SES v2: SendEmail in REST JSON, with the checks that the service makes. */
export type FakeSes = {
  url: string;
  /** The accepted messages, in order. */
  messages: { messageId: string; message: SesMessage }[];
  calls(): number;
  /** Fails the next calls with these. */
  fail(...failures: (SesException | 'hang' | 'drop')[]): void;
  outage: Outage;
  close(): Promise<void>;
};

const PATH = '/v2/email/outbound-emails';
const STATUSES: Readonly<Record<string, number>> = {
  NotFoundException: 404,
  LimitExceededException: 400,
  TooManyRequestsException: 429,
  InternalServiceErrorException: 500,
};
const HEADER_NAME = /^[!-9;-~]{1,126}$/;
const HEADER_VALUE = /^[ -~\r\n\t]{1,870}$/;
const TAG = /^[A-Za-z0-9_.@-]{1,256}$/;
const MAILBOX = /^(?:[ -~]* <)?([^\s<>@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+)>?$/i;
const MESSAGE_BYTES_MAX = 40 * 1024 * 1024;

/** Starts the fake; every well-formed message is accepted. */
export async function startFakeSes(): Promise<FakeSes> {
  const messages: FakeSes['messages'] = [];
  const failures: (SesException | 'hang' | 'drop')[] = [];
  let calls = 0;
  const server = await startHttpFake((request) => {
    calls++;
    const failure = failures.shift();
    if (failure) return typeof failure === 'string' ? failure : toReply(failure);
    const refusal = findRefusal(request);
    if (refusal) return toReply(refusal);
    const messageId = `0100${randomUUID()}-000000`;
    messages.push({ messageId, message: JSON.parse(request.body.toString()) });
    return { status: 200, body: { MessageId: messageId } };
  });
  return {
    url: server.url,
    messages,
    calls: () => calls,
    fail: (...next) => void failures.push(...next),
    outage: server.outage,
    close: server.close,
  };
}

function toReply({ name, message, status = STATUSES[name] ?? 400 }: SesException): FakeReply {
  return {
    status,
    headers: { 'x-amzn-requestid': randomUUID(), 'x-amzn-errortype': `${name}:` },
    body: { message },
  };
}

function findRefusal({ method, path, headers, body }: FakeRequest): SesException | undefined {
  if (method !== 'POST' || path !== PATH) {
    return { name: 'UnknownOperationException', message: 'Unknown operation', status: 404 };
  }
  if (!/^AWS4-HMAC-SHA256 .*\/ses\/aws4_request/.test(headers.authorization ?? '')) {
    return { name: 'MissingAuthenticationTokenException', message: 'Missing Token', status: 403 };
  }
  const message: SesMessage = JSON.parse(body.toString());
  const fault = findFault(message) ?? (body.length > MESSAGE_BYTES_MAX ? 'Message too long.' : undefined);
  return fault === undefined ? undefined : { name: 'BadRequestException', message: fault };
}

function findFault(message: SesMessage): string | undefined {
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = message.Destination ?? {};
  const recipients = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  const { Subject, Body, Headers = [], Attachments = [] } = message.Content?.Simple ?? {};
  const parts = [Subject, Body?.Html, Body?.Text].filter((part) => part !== undefined);
  const faults: [boolean, string][] = [
    [recipients.length === 0, 'Recipient list is empty.'],
    [recipients.length > 50, 'Recipient count exceeds 50.'],
    [!MAILBOX.test(message.FromEmailAddress ?? ''), "Missing final '@domain' in From"],
    [!recipients.every((each) => MAILBOX.test(each)), 'Illegal address'],
    [!message.Content?.Raw && (!Subject || !(Body?.Html ?? Body?.Text)), 'Subject and body are required'],
    [parts.some(({ Data, Charset }) => Data === '' || Charset !== 'UTF-8'), 'Empty or unreadable part'],
    [Headers.length > 15, 'Too many headers'],
    [
      Headers.some(({ Name, Value }) => !HEADER_NAME.test(Name) || !HEADER_VALUE.test(Value)),
      'Invalid header',
    ],
    [
      (message.EmailTags ?? []).some(
        ({ Name, Value }) => !TAG.test(Name.replace(/^ses:(?=feedback-id-[ab]$)/, '')) || !TAG.test(Value),
      ),
      'Invalid tag',
    ],
    [Attachments.some(isFaulty), 'Invalid attachment'],
  ];
  return faults.find(([isFault]) => isFault)?.[1];
}

function isFaulty({
  FileName,
  ContentType = '',
  RawContent,
}: {
  [key: string]: string | undefined;
}): boolean {
  return !FileName || FileName.length > 255 || ContentType.length > 78 || RawContent === undefined;
}
