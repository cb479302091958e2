export function sum(numbers) {
	return numbers.reduce((total, one) => total + one, 0);
}
