package tests

import "testing"

func TestDeposit(t *testing.T)            {}
func TestDepositRefusesZero(t *testing.T) {}
func TestTransfer(t *testing.T)           {}
func TestTransferNeedsFunds(t *testing.T) {}
func TestStatement(t *testing.T)          {}
