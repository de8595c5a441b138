// Election in a tree: a node that has been asked by all neighbours but one asks that one to be its
// parent; who was asked by all is the root, and lets all know. Where two ask each other, both take
// it back, and each of them asks again or waits for the other. The tree is a chain in which node 1
// has one more leaf.
// Source: IEEE 1394 (1995), the tree identify phase; M. Devillers, D. Griffioen, J. Romijn and
// F. Vaandrager, Verification of a leader election protocol, 2000.
// states: 290328
// transitions: 1200242
// verdict: holds
#ifndef N
#define N 5
#endif
#define CHAIN(i, j) ((j) == (i) + 1 && (j) < N - 1)
#define EXTRA(i, j) ((i) == 1 && (j) == N - 1)
#define LINKED(i, j) (CHAIN(i, j) || CHAIN(j, i) || EXTRA(i, j) || EXTRA(j, i))

mtype = { request, grant };

chan in[N] = [N] of { mtype, byte };
byte roots;

active [N] proctype Node()
{
	byte i, open;
	bool asked_by[N];

	d_step {
		do
		:: i < N && LINKED(_pid, i) -> open++; i++
		:: i < N && !LINKED(_pid, i) -> i++
		:: else -> break
		od;
		i = 0
	}
	do
	:: open > 1 -> in[_pid]?request(i); asked_by[i] = true; open--; i = 0
	:: open == 1 -> break
	od;
	do
	:: asked_by[i] || !LINKED(_pid, i) -> i++
	:: else -> break
	od;
	if
	:: in[_pid]?request(eval(i)) -> goto root
	:: empty(in[_pid])
	fi;
ask:	in[i]!request(_pid);
	if
	:: in[_pid]?grant(eval(i)) -> goto known
	:: in[_pid]?request(eval(i)) ->
		if
		:: goto ask
		:: in[_pid]?request(eval(i)) -> goto root
		fi
	fi;
root:	asked_by[i] = true;
	roots++;
	assert(roots == 1);
known:	i = 0;
	do
	:: i < N && asked_by[i] -> in[i]!grant(_pid); i++
	:: i < N && !asked_by[i] -> i++
	:: i == N -> break
	od
}
