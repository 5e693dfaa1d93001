/** A text message to the service, as the phone service publishes it. */
export const TEXT = {
  originationNumber: '+14155550123',
  destinationNumber: '+15005550006',
  messageKeyword: 'KEYWORD',
  messageBody: 'Where is it?',
  inboundMessageId: 'aws-2',
};

/** An email to the service, with an attachment. */
export const MAIL = [
  'From: ada@example.com',
  'To: orders@mail.example.com',
  'Subject: My order',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'Where is it?',
  '--b',
  'Content-Type: text/csv',
  'Content-Disposition: attachment; filename="order.csv"',
  '',
  'a,b',
  '--b--',
  '',
].join('\r\n');
