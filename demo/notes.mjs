/**
 * The notes of the workflows that the demo imports, by file and name. In the examples they say what to set up,
 * and the demo has done that. `{documenso}` and `{inbox}` stand for their addresses.
 */
export const notes = {
	'fill-template-from-spreadsheet.json': {
		'About this workflow': `## Fill a template from spreadsheet rows
One document for every row of a CSV file, sent to its signers at once. Run it as often as you like: a row whose *External ID* has a document already is skipped.

**Ready to run:** click *Execute workflow*, then sign in the [local Documenso]({documenso}).`,
		'About the template': `Columns with the same names as the template's recipients and fields fill them in automatically: *Tenant email*, *Tenant name*, *Address*… There is nothing to map. Recipients without a column stay as they are in the template.`,
	},
	'nda-from-a-form.json': {
		'About this workflow': `## Send me an NDA
A visitor fills in a form, and signs at once.

**Ready to run:** open the *Production URL* of the form; the terminal shows it, too. Its questions have the same names as the template's recipient and its field.`,
	},
	'slack-message-when-completed.json': {
		'About this workflow': `## Slack message when a document is completed
**Ready to run:** this workflow is published, and its trigger is registered in the [local Documenso]({documenso}). Sign a document there as all of its signers.`,
		'About Slack': `The message goes to the demo's [inbox]({inbox}), which accepts messages like Slack.`,
	},
	'create-send-and-file.json': {
		'About sending': `## Send a PDF…
**Ready to run** from *When you click Execute* (choose that beside *Execute workflow*). The PDF, who signs, and where on the page (in percent) are filled in.`,
		'About filing': `## …and file it when it is signed
This half is published, and its trigger is registered in the [local Documenso]({documenso}). It files every completed document, whoever created it, in the folder that *File it* names.`,
	},
	'contract-then-onboarding.json': {
		'About this workflow': `## Contract, then onboarding
A form asks for a new employee. The contract is sent, and the execution waits until everyone has signed it.

**Ready to run:** publish it to try it, then open the *Production URL* of the form; the terminal shows it, too. Its questions have the same names as the template's recipient and fields.`,
		'About the outcome': `A signed contract goes to *Create the accounts*, which stands for your directory: Google Workspace or Microsoft Entra ID, for example. If the contract is rejected, cancelled or deleted, or not signed within 30 days, HR gets a message. Both arrive in the demo's [inbox]({inbox}). The workflow *Slack message when a document is completed* announces the contract there, too: it reports every document.`,
		'About waking': `In the demo, the triggers of the published workflows wake the waiting execution. This trigger only tells HR that a link has expired: the execution keeps waiting, because *Resend* in Documenso renews the link. To get that message, register its *Production URL* in the [local Documenso]({documenso}/t/demo/settings/webhooks) with the event *recipient.expired* and the secret \`demo-webhook-secret\`.`,
	},
	'approve-then-send.json': {
		'About this workflow': `## Approve, then send to the customer
A form takes the PDF of an offer. Your colleague approves it, the customer signs it, and the signed PDF is filed. The execution waits twice.

**Ready to run:** publish it to try it, then open the *Production URL* of the form; the terminal shows it, too.`,
		'About the end': `The signed PDF arrives in the folder that *File it* names, and messages arrive in the demo's [inbox]({inbox}). An offer that is not approved never reaches the customer. The published workflows *Slack message when a document is completed* and *Create, send and file the signed PDF* report and file the approval and the offer, too: they do so with every document.`,
		'About waking': `In the demo, the triggers of the published workflows wake the waiting execution. This trigger only tells you that a customer has opened an offer. To get that message, register its *Production URL* in the [local Documenso]({documenso}/t/demo/settings/webhooks) with the event *document.opened* and the secret \`demo-webhook-secret\`.`,
	},
	'check-sheet-every-night.json': {
		'About the sheet': `## The sheet and Documenso agree, every night
Each row of a sheet is compared with its document, and a message comes only if something is wrong. Nothing is changed in Documenso.

**Ready to run:** send the agreements with *Fill a template from spreadsheet rows*. Run this row from *When you click Execute* (choose that beside *Execute workflow*): it makes the data table *Rental agreements*, which n8n shows under *Data tables*. Then change a rent there, or sign an agreement in the [local Documenso]({documenso}) with another address, and run the other row from *Every night*.`,
		'About the check': `The title and the settings of *Check the agreements* are those with which the agreements were sent. Columns with the same names as the template's recipients and fields are compared with them.`,
		'About the message': `The verdict on each agreement appears in its row, and the message in the demo's [inbox]({inbox}).`,
	},
	'register-of-contracts.json': {
		'About the register': `## A register of contracts with end dates
**Ready to run:** publish it to try it, and register the trigger's *Production URL* in the [local Documenso]({documenso}/t/demo/settings/webhooks) with the event *document.completed* and the secret \`demo-webhook-secret\`. Then sign a rental agreement as both of its signers: it gets a row in the data table *Contracts*, which n8n shows under *Data tables*, with its values as they were signed.

*Prepare the row* says how long such a contract runs. Correct in the table what the next contract should say, such as the rent.`,
		'About the renewals': `Set an *endDate* in the table to a day within sixty days, and run this from *Every morning*. It makes the renewal: a draft from the same template, with the values of the table and the next start date. Each contract gets one renewal, however often this runs.`,
		'About the message': `The message arrives in the demo's [inbox]({inbox}).`,
	},
	'ndas-for-a-list.json': {
		'About the list': `## NDAs for a list of people
Everyone on the list gets an NDA, and the list shows who has signed.

**Ready to run** from *When you click Execute* (choose that beside *Execute workflow*). Pinned data stands for Google Sheets: open *Read the list*, and edit it.`,
		'About the template': `Columns with the same names as the template's recipient and field fill them in automatically. Each address gets one NDA. Add people to the list, and run this again as often as you like.`,
		'About the signatures': `This half notes each signature: publish it to try it, register the trigger's *Production URL* in the [local Documenso]({documenso}/t/demo/settings/webhooks) with the event *document.completed* and the secret \`demo-webhook-secret\`, and choose a spreadsheet in *Note the signature*: n8n uses pinned data only when somebody executes a workflow in the editor.`,
	},
	'renew-leases.json': {
		'About the sheet': `## Renew leases that end soon
Every morning, each lease that ends within sixty days gets its renewal, once.

**Ready to run:** click *Execute workflow*. Pinned data stands for Google Sheets: open *Read the leases*, and edit it. One of its two leases ends soon.`,
		'About the dates': `The renewal starts on the day after *End date*, and its External ID ends with that day: running this again sends nothing twice.`,
		'About the template': `Columns with the same names as the template's recipients and fields fill them in automatically. The renewal is in the [local Documenso]({documenso}). To look at each one first, turn off *Send Now*.`,
	},
	'approve-incoming-invoices.json': {
		'About the emails': `## Approve invoices that come by email
**Ready to run** from *When an invoice arrives* (choose that beside *Execute workflow*). Pinned data stands for an email with a PDF. Approve or reject it in the [local Documenso]({documenso}). An email that is read again brings no second approval.`,
		'About the answers': `This half hears of the answer: publish it to try it, register the trigger's *Production URL* in the [local Documenso]({documenso}/t/demo/settings/webhooks) with the events *document.completed* and *document.rejected* and the secret \`demo-webhook-secret\`. It then needs a credential for Gmail and one for Slack: n8n uses pinned data only when somebody executes a workflow in the editor.`,
	},
	'quote-to-invoice.json': {
		'About the quote': `## Quote, signature, invoice
A form takes the PDF of a quote. The customer signs it, and then it is put on the list of invoices.

**Ready to run** from *When the form is sent* (choose that beside *Execute workflow*): fill in the form that opens, and sign the quote in the [local Documenso]({documenso}).`,
		'About the invoice': `A signed quote gets a row in the data table *Invoices*, which n8n shows under *Data tables*. If the quote is rejected, the Slack node fails until you give it a credential.`,
		'About waking': `In the demo, the triggers of the published workflows wake the waiting execution. This trigger tells sales that a link has expired: publish it to try it, with a credential for Slack.`,
	},
};
