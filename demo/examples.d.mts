import type { IConnections, INode, IPinData } from 'n8n-workflow';

import type { WebhookEvent } from '../emulator';

export interface Example {
	id: string;
	name: string;
	active: boolean;
	nodes: INode[];
	connections: IConnections;
	pinData?: IPinData;
}

interface Credential {
	id: string;
	name: string;
	type: string;
}

interface Template {
	id: string;
	title: string;
}

export function fillTemplate(credential: Credential, template: Template): Promise<Example>;
export function ndaFromAForm(credential: Credential, template: Template): Promise<Example>;
export function contractThenOnboarding(
	credential: Credential,
	template: Template,
	slackUrl: string,
): Promise<Example>;
export function approveThenSend(
	credential: Credential,
	signedDir: string,
	slackUrl: string,
): Promise<Example>;
export function signingLinksByChat(
	credential: Credential,
	template: Template,
	slackUrl: string,
): Promise<Example>;
export function previewApproveSend(
	credential: Credential,
	template: Template,
	slackUrl: string,
): Promise<Example>;
export function checkEveryNight(
	credential: Credential,
	template: Template,
	slackUrl: string,
): Promise<Example>;
export function contractRegister(
	credential: Credential,
	template: Template,
	slackUrl: string,
): Promise<Example>;
export function ndasForAList(credential: Credential, template: Template): Promise<Example>;
export function renewLeases(credential: Credential, template: Template): Promise<Example>;
export function approveInvoices(credential: Credential): Promise<Example>;
export function quoteToInvoice(credential: Credential): Promise<Example>;
export function rentalAgent(credential: Credential, template: Template): Promise<Example>;
export function fileByCustomer(credential: Credential, customersDir: string): Promise<Example>;
export function chaseExpired(credential: Credential, slackUrl: string): Promise<Example>;
export function statusBoard(credential: Credential): Promise<Example>;

export function webhooksOf(
	workflows: Example[],
	n8nUrl: string,
): Array<{ url: string; events: WebhookEvent[] }>;
