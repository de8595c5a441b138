// A server that answers by handshakes and ends by a timeout: what clients do before they stand ready is their own.
// states: 5655
// transitions: 14454
// verdict: holds
chan request = [2] of { byte }; chan answer = [0] of { byte }; byte served;
active [3] proctype Client() { byte k; do :: k < 2 -> k++; request!k; answer?k :: break od }
active proctype Server() { byte k; do :: request?k -> served++; answer!k :: timeout -> break od }
